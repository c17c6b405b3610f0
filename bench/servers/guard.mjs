import process from "node:process";

const TOKEN = process.env.KINDGI_PACK_SERVICE_TOKEN;

/** What every peer checks before it reads a body. Returns the status and body of a refusal. */
export function refusal(token, contentType) {
  if (!isToken(token)) return { status: 401, body: { error: "wrong token" } };
  if (!isJson(contentType)) return { status: 415, body: { error: "not JSON" } };
  return undefined;
}

/** In constant time, as a pack service has to compare it. */
function isToken(given) {
  if (typeof given !== "string") return false;
  let difference = given.length ^ TOKEN.length;
  for (let i = 0; i < TOKEN.length; i++) difference |= given.charCodeAt(i) ^ TOKEN.charCodeAt(i);
  return difference === 0;
}

function isJson(contentType) {
  return contentType?.split(";", 1)[0].trim().toLowerCase() === "application/json";
}
