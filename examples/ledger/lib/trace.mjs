/**
 * @typedef {Record<string, any>} Members
 * @typedef {{ toolId: string, input: unknown, output: unknown, failed: boolean }} ToolCall
 */

/** Members that may hold a run's answer, the first present one counts. */
const RESPONSE_MEMBERS = ["response", "finalOutput", "output"];

/** Members that may list calls, or steps or messages which list them. The first that is an array counts. */
const LIST_MEMBERS = ["toolCalls", "tool_calls", "steps", "events", "messages"];

/**
 * The text of a run's answer: `response`, `finalOutput` or `output` of the trace, else its last message with
 * `role` `assistant`. Anything but text is read as its JSON. `undefined` when there is none.
 *
 * @param {unknown} trace
 * @returns {string | undefined}
 */
export function responseText(trace) {
  if (!isObject(trace)) return undefined;
  const name = RESPONSE_MEMBERS.find((member) => (trace[member] ?? undefined) !== undefined);
  const response = name === undefined ? lastAssistantMessage(trace) : trace[name];
  return typeof response === "string" ? response : JSON.stringify(response);
}

/**
 * The tool calls of a run: the items of its `toolCalls`, `tool_calls`, `steps`, `events` or `messages`, each of
 * which may list further ones under the same names. Of an item it reads
 *
 * - the tool: `toolId`, `toolName`, `tool` (text or `{ id }`), `name` or `function.name`;
 * - its input: `input`, `args`, `arguments` or `function.arguments`;
 * - what came back: `output` or `result`, where `{ kind: "result", output }` is opened;
 * - a failure: `error`, or `{ kind: "error" }` as what came back.
 *
 * Inputs and outputs may be JSON text. Items that name no tool are passed over.
 *
 * @param {unknown} trace
 * @returns {ToolCall[]}
 */
export function toolCalls(trace) {
  return isObject(trace) ? leaves(trace).flatMap(toolCall) : [];
}

/**
 * @param {Members} node
 * @returns {Members[]}
 */
function leaves(node) {
  const list = LIST_MEMBERS.map((member) => node[member]).find(Array.isArray);
  return list ? list.filter(isObject).flatMap(leaves) : [node];
}

/**
 * @param {Members} item
 * @returns {ToolCall[]}
 */
function toolCall(item) {
  const toolId =
    item.toolId ?? item.toolName ?? item.tool?.id ?? item.tool ?? item.name ?? item.function?.name;
  if (typeof toolId !== "string") return [];
  const input = item.input ?? item.args ?? item.arguments ?? item.function?.arguments;
  const answer = opened(item.output ?? item.result);
  const message = isObject(answer) ? answer : {};
  return [
    {
      toolId,
      input: opened(input),
      output: message.kind === "result" ? message.output : answer,
      failed: (item.error ?? undefined) !== undefined || message.kind === "error",
    },
  ];
}

/** @param {unknown} value */
function opened(value) {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** @param {Members} trace */
function lastAssistantMessage(trace) {
  const messages = Array.isArray(trace.messages) ? trace.messages : [];
  return messages.findLast((message) => isObject(message) && message.role === "assistant")?.content;
}

/**
 * @param {unknown} value
 * @returns {value is Members}
 */
export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
