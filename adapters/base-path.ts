/** A target's path; the target may be absolute. */
const PATH = /^(?:\w+:\/\/[^/?#]*)?([^?#]*)/;

/** Whether a request's target is a base path or lies below it. */
export function isBelow(target: string, basePath: string): boolean {
  const path = PATH.exec(target)?.[1] ?? "";
  return path === basePath || path.startsWith(`${basePath}/`);
}
