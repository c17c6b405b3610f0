import { EXPENSE_IDS } from "../lib/expense.mjs";
import { objectOf } from "../lib/schemas.mjs";
import { responseText, toolCalls } from "../lib/trace.mjs";

/**
 * Passes when the run's answer cites an expense id. Where the outputs of the run's tool calls hold such ids, each
 * cited id must be among them: an id that no tool returned is made up.
 *
 * @param {unknown} _config
 * @param {unknown} trace read as `lib/trace.mjs` describes
 */
export function evaluate(_config, trace) {
  const response = responseText(trace);
  if (response === undefined) return { passed: false, reason: "The trace holds no response" };
  const cited = idsIn(response);
  if (cited.length === 0) {
    return { passed: false, reason: "The response cites no expense id such as exp-000001" };
  }
  const returned = new Set(toolCalls(trace).flatMap(({ output }) => idsIn(JSON.stringify(output))));
  const unknown = returned.size === 0 ? [] : cited.filter((id) => !returned.has(id));
  return unknown.length === 0
    ? { passed: true, attributes: { cited } }
    : {
        passed: false,
        reason: `No tool of this run returned ${unknown.join(", ")}`,
        attributes: { cited, unknown },
      };
}

/** @param {string | undefined} text */
function idsIn(text) {
  return [...new Set(text?.match(EXPENSE_IDS))];
}

export default {
  id: "cites-expense",
  name: "Cites an expense",
  severity: "medium",
  configSchema: objectOf({}),
  config: {},
  evaluate,
};
