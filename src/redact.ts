import { create, Date, isFinite, keys, values } from "./captured.ts";
import { isArray } from "./json.ts";
import { thrownCause } from "./thrown.ts";

const REDACTED = "[redacted]";
const SECRET_NAME =
  /(?:authorization|cookie|token|password|passwd|secrets?|apikey|privatekey|passphrase|credentials?)$/;
const BEARER = /\bbearer\s+[^\s"',;]+/gi;
// The scheme's length is bounded: unbounded, a long text without one would be searched in quadratic time.
const URL_PASSWORD = /([a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@]*):[^\s/?#]*@/gi;
const MAY_HOLD_SECRET = /bearer|:\/\//i;

/** A secret shorter than this would mask half of any text; it is masked only where it is the whole string. */
const MIN_SUBSTRING_LENGTH = 4;
const MAX_TEXT_LENGTH = 16_384;
const MAX_DEPTH = 12;
const MAX_MEMBERS = 1_000;

/** Masks what looks like a credential in a text: `Bearer …` and the password of a URL (contract §8). */
function redactText(text: string): string {
  if (!MAY_HOLD_SECRET.test(text)) return text;
  return text.replace(BEARER, `Bearer ${REDACTED}`).replace(URL_PASSWORD, `$1:${REDACTED}@`);
}

/** Every text and number in JSON values, however deep: what a redactor masks. */
export function textsOf(...rest: unknown[]): string[] {
  const texts: string[] = [];
  // By a list, since what a caller sends may be deeper than the stack.
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value === "number" || (typeof value === "string" && value !== "")) {
      texts.push(String(value));
    } else if (typeof value === "object" && value !== null) {
      for (const member of values(value)) rest.push(member);
    }
  }
  return texts;
}

/**
 * Copies any value into plain data that is safe to log: secret members and texts masked, cycles, depth and size
 * bounded, unreadable members named. Never throws.
 */
export class Redactor {
  readonly #secrets: readonly string[];

  /** @param secrets values that must be in no line, whatever the name of the member that holds them */
  constructor(secrets: readonly string[]) {
    this.#secrets = [...new Set(secrets)]
      .filter((secret) => secret !== "")
      .toSorted((a, b) => b.length - a.length);
  }

  /** A redactor that masks these too. */
  with(secrets: readonly string[]): Redactor {
    return secrets.length === 0 ? this : new Redactor([...this.#secrets, ...secrets]);
  }

  text(text: string): string {
    let masked = text;
    for (const secret of this.#secrets) {
      if (masked === secret) return REDACTED;
      if (secret.length >= MIN_SUBSTRING_LENGTH && masked.includes(secret)) {
        masked = masked.split(secret).join(REDACTED);
      }
    }
    // Masked before it is cut: a secret cut in half would no longer be recognised.
    masked = redactText(masked);
    return masked.length > MAX_TEXT_LENGTH ? `${masked.slice(0, MAX_TEXT_LENGTH - 1)}…` : masked;
  }

  value(value: unknown): unknown {
    return this.#copy(value, { left: MAX_MEMBERS, path: [] });
  }

  #copy(value: unknown, walk: Walk): unknown {
    switch (typeof value) {
      case "string":
        return this.text(value);
      case "number":
        return this.#copyNumber(value);
      case "boolean":
      case "undefined":
        return value;
      case "object":
        return value === null ? null : this.#copyObject(value, walk);
      default:
        return this.text(typeof value === "function" ? "[function]" : String(value));
    }
  }

  #copyNumber(value: number): unknown {
    if (this.#secrets.includes(String(value))) return REDACTED;
    return isFinite(value) ? value : String(value);
  }

  #copyObject(value: object, walk: Walk): unknown {
    if (walk.path.includes(value)) return "[circular]";
    if (walk.path.length >= MAX_DEPTH) return "[too deep]";
    walk.path.push(value);
    try {
      if (value instanceof Error) return this.#copyMembers(thrownCause(value) as object, walk);
      if (value instanceof Date) return String(value.toJSON());
      return isArray(value) ? this.#copyItems(value, walk) : this.#copyMembers(value, walk);
    } catch {
      return "[unreadable]";
    } finally {
      walk.path.pop();
    }
  }

  #copyItems(items: readonly unknown[], walk: Walk): unknown[] {
    const copy: unknown[] = [];
    for (const item of items) {
      if (walk.left-- <= 0) return [...copy, "[cut]"];
      copy.push(this.#copy(item, walk) ?? null);
    }
    return copy;
  }

  #copyMembers(value: object, walk: Walk): Record<string, unknown> {
    const copy: Record<string, unknown> = create(null);
    for (const name of keys(value)) {
      if (walk.left-- <= 0) break;
      copy[this.text(name)] = isSecretName(name) ? REDACTED : this.#member(value, name, walk);
    }
    return copy;
  }

  #member(value: object, name: string, walk: Walk): unknown {
    try {
      return this.#copy((value as Record<string, unknown>)[name], walk);
    } catch {
      return "[unreadable]";
    }
  }
}

interface Walk {
  /** How many members may still be copied. */
  left: number;
  /** The objects that hold the one being copied. */
  path: object[];
}

function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name.toLowerCase().replace(/[-_]/g, ""));
}
