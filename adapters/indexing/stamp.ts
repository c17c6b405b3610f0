import { isObject } from "../../src/json.ts";

/** What tells two builds of one pack apart. */
export interface Stamp {
  artifactVersion: string;
  /** ISO 8601. */
  publishedAt: string;
}

/** The stamp of an index, where it has one. */
export function stampOf(index: unknown): Partial<Stamp> {
  if (!isObject(index)) return {};
  const { artifactVersion, publishedAt } = index;
  return {
    ...(typeof artifactVersion === "string" ? { artifactVersion } : {}),
    ...(typeof publishedAt === "string" ? { publishedAt } : {}),
  };
}

/** The stamp of the next build: `YYYYMMDD.N` in UTC, counted up from the build before if that is of the same day. */
export function nextStamp(previous: Partial<Stamp>, now: Date): Stamp {
  const publishedAt = now.toISOString();
  const day = publishedAt.slice(0, "YYYY-MM-DD".length).replaceAll("-", "");
  const [, number = "0"] =
    new RegExp(`^${day}\\.(\\d{1,15})$`).exec(previous.artifactVersion ?? "") ?? [];
  return { artifactVersion: `${day}.${Number(number) + 1}`, publishedAt };
}
