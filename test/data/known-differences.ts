/** Where our reading of the JSON Schema test suite differs, and why. Only names of its cases stand here. */

interface KnownProblem {
  ids: RegExp;
  problem: RegExp;
  reason: string;
}

interface KnownVerdict {
  file: string;
  reason: string;
  cases: readonly string[];
}

const DYNAMIC = "draft2020-12/dynamicRef/";
const ITEMS = "draft2020-12/unevaluatedItems/";

export const EXPECTED_PROBLEMS: readonly KnownProblem[] = [
  {
    ids: /\/refRemote\//,
    problem: /leads outside the schema; nothing is fetched/,
    reason: "no remote document is ever fetched (§5)",
  },
  {
    ids: /^draft2020-12\/dynamicRef\/(strict-tree schema|tests for implementation|\$ref and \$dynamicAnchor are|\$ref to \$dynamicRef finds)/,
    problem: /leads outside the schema; nothing is fetched/,
    reason: "these refer to remote documents too",
  },
  {
    ids: /^draft2020-12\/dynamicRef\/(A \$dynamicRef that initially resolves to a schema with|after leaving a dynamic scope)/,
    problem: /"\$dynamicRef" only supports hash fragment reference/,
    reason: "ajv: a dynamic reference with several possible targets must be a fragment",
  },
  {
    ids: /^draft2020-12\/dynamicRef\/A \$dynamicRef without anchor in fragment/,
    problem: /resolves to more than one schema/,
    reason: "ajv: one dynamic anchor in two resources without a way to tell them apart",
  },
];

export const EXPECTED_VERDICTS: readonly KnownVerdict[] = [
  {
    file: "jsts-draft2020-12",
    reason: "known formats assert here (§5); the suite has them annotate",
    cases: [
      "email",
      "regex",
      "ipv4",
      "ipv6",
      "hostname",
      "date",
      "date-time",
      "time",
      "json-pointer",
      "relative-json-pointer",
      "uri",
      "uri-reference",
      "uri-template",
      "uuid",
      "duration",
    ].map(
      (name) =>
        `draft2020-12/format/${name} format: invalid ${name} string is only an annotation by default`,
    ),
  },
  {
    file: "jsts-draft2020-12",
    reason:
      "ajv: dynamic references whose target depends on the path taken through several resources",
    cases: [
      `${DYNAMIC}A $dynamicRef resolves to the first $dynamicAnchor still in scope that is encountered when the schema is evaluated: An array of strings is valid`,
      `${DYNAMIC}A $dynamicRef with intermediate scopes that don't include a matching $dynamicAnchor does not affect dynamic scope resolution: An array of strings is valid`,
      `${DYNAMIC}multiple dynamic paths to the $dynamicRef keyword: number list with string values`,
      `${DYNAMIC}multiple dynamic paths to the $dynamicRef keyword: string list with number values`,
      `${DYNAMIC}$dynamicRef skips over intermediate resources - direct reference: integer property passes`,
      `${DYNAMIC}$dynamicRef avoids the root of each schema, but scopes are still registered: data is sufficient for schema at second#/$defs/length`,
      `${ITEMS}unevaluatedItems with $dynamicRef: with no unevaluated items`,
      "draft2020-12/unevaluatedProperties/unevaluatedProperties with $dynamicRef: with no unevaluated properties",
    ],
  },
  {
    file: "jsts-draft2020-12",
    reason:
      "ajv: which items were evaluated is kept as one number, so `contains`, `if` and `anyOf` are seen roughly",
    cases: [
      `${ITEMS}unevaluatedItems with nested items: with no additional items`,
      `${ITEMS}unevaluatedItems with nested items: with invalid additional item`,
      `${ITEMS}unevaluatedItems depends on adjacent contains: contains passes, second item is not evaluated`,
      `${ITEMS}unevaluatedItems depends on multiple nested contains: 7 not evaluated, fails unevaluatedItems`,
      `${ITEMS}unevaluatedItems and contains interact to control item dependency relationship: only b's are invalid`,
      `${ITEMS}unevaluatedItems and contains interact to control item dependency relationship: only c's are invalid`,
      `${ITEMS}unevaluatedItems and contains interact to control item dependency relationship: only b's and c's are invalid`,
      `${ITEMS}unevaluatedItems and contains interact to control item dependency relationship: only a's and c's are invalid`,
      `${ITEMS}unevaluatedItems with minContains = 0: all items evaluated by contains`,
      `${ITEMS}unevaluatedItems can see annotations from if without then and else: valid in case if is evaluated`,
    ],
  },
  {
    file: "jsts-draft2020-12",
    reason:
      "an unknown $schema is read as 2020-12, with a warning: its vocabularies would have to be fetched",
    cases: [
      "draft2020-12/vocabulary/schema that uses custom metaschema with with no validation vocabulary: no validation: invalid number, but it still validates",
    ],
  },
];
