import { layPack } from "../dev/dev-process.ts";
import type { TestPack } from "../dev/dev-process.ts";

const bookTrip = {
  id: "book-trip",
  version: "2.1.0",
  description:
    "Books a trip with all its stops, for one traveller or several. What has been paid is in the answer, with the currency of the account.",
  input: {
    type: "object",
    properties: {
      traveller: { type: "string", minLength: 2, description: "As the passport has it" },
      email: { type: "string", format: "email" },
      nights: { type: "integer", minimum: 1, default: 2 },
      departs: { type: "string", format: "date", title: "Departs on" },
      class: { enum: ["economy", "premium economy", "business"] },
      isRefundable: { type: "boolean", title: "Can be given back" },
      extras: {
        type: "array",
        title: "Extras",
        items: { enum: ["breakfast", "luggage", "insurance"] },
        uniqueItems: true,
      },
      stops: {
        type: "array",
        title: "Stops",
        description: "In their order",
        items: {
          type: "object",
          properties: {
            city: { type: "string" },
            stay: { type: "object", title: "Stay", properties: { hotel: { type: "string" } } },
          },
          required: ["city"],
        },
      },
      payment: {
        title: "Payment",
        oneOf: [
          {
            title: "Card",
            properties: { card: { type: "string", pattern: "^\\d{16}$" } },
            required: ["card"],
          },
          { title: "Account", properties: { account: { type: "string" } }, required: ["account"] },
        ],
      },
      labels: { type: "object", title: "Labels", additionalProperties: { type: "string" } },
      notes: { type: "string" },
    },
    required: ["traveller", "departs"],
  },
  output: { type: "object" },
  modulePath: "trip.mjs",
};

export const LONG_NAME = "reconcile-outstanding-supplier-invoices-of-the-month";

const index = {
  tools: [
    bookTrip,
    { id: "convert-currency", input: {}, output: {}, modulePath: "echo.mjs" },
    { id: LONG_NAME, input: {}, output: {}, modulePath: "echo.mjs" },
    { id: "fails", input: { type: "string" }, output: {}, modulePath: "fails.mjs" },
    { id: "waits", input: { type: "object" }, output: {}, modulePath: "waits.mjs" },
  ],
  guardrails: [
    {
      id: "spending-limit",
      kind: "check",
      action: "block",
      checkModulePath: "limit.mjs",
      config: { limit: 5 },
      configSchema: {
        type: "object",
        properties: { limit: { type: "number", description: "In the account's currency" } },
      },
    },
  ],
};

const FILES = {
  "trip.mjs":
    "export default (input) => ({ ...input, paid: { amount: '1240.00', currency: 'EUR' } });",
  "echo.mjs": "export default (input) => input;",
  "fails.mjs": "export default () => { throw new Error('The ledger is closed for this month'); };",
  "waits.mjs":
    "export default (_, { abortSignal }) => new Promise((resolve) => abortSignal.addEventListener('abort', resolve));",
  "limit.mjs":
    "export const evaluate = ({ limit }, { cost }) => ({ passed: cost <= limit, reason: 'cost ' + cost });",
};

/** A pack with what a form may have to show: each kind of field, texts that are long, and answers of every kind. */
export function layLookPack(): TestPack {
  return layPack({ packId: "travel-desk", packVersion: "2.4.0", ...index }, FILES);
}
