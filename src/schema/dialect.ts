/** The drafts of JSON Schema that are told apart, newest first: the order in which an undeclared schema is tried. */
export const DIALECTS = ["2020-12", "2019-09", "draft-07", "draft-06", "draft-04"] as const;

export type Dialect = (typeof DIALECTS)[number];

/** URI of each draft's metaschema, without a trailing `#`. */
export const METASCHEMAS: Readonly<Record<Dialect, string>> = {
  "2020-12": "https://json-schema.org/draft/2020-12/schema",
  "2019-09": "https://json-schema.org/draft/2019-09/schema",
  "draft-07": "http://json-schema.org/draft-07/schema",
  "draft-06": "http://json-schema.org/draft-06/schema",
  "draft-04": "http://json-schema.org/draft-04/schema",
};

/** The draft that a `$schema` names, whatever its scheme and trailing `#`; undefined for any other URI. */
export function dialectOf($schema: string): Dialect | undefined {
  const path = withoutScheme($schema.replace(/#$/, ""));
  return DIALECTS.find((dialect) => withoutScheme(METASCHEMAS[dialect]) === path);
}

/** The draft whose metaschema, or one of whose vocabularies' metaschemas, a URI without fragment is. */
export function metaschemaDialect(uri: string): Dialect | undefined {
  return dialectOf(uri.replace(/\/meta\/[a-z-]+$/, "/schema"));
}

/** Whether keywords beside a `$ref` count: until draft-07 the specification has them ignored. */
export function readsBesideRef(dialect: Dialect): boolean {
  return dialect === "2020-12" || dialect === "2019-09";
}

/** The keyword that names a schema in a draft. */
export function idKeyword(dialect: Dialect): "$id" | "id" {
  return dialect === "draft-04" ? "id" : "$id";
}

function withoutScheme(uri: string): string {
  return uri.replace(/^https?:\/\/(www\.)?/, "");
}
