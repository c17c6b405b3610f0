import * as z from "zod";
import { expenseId, expenseNumber } from "./expense.mjs";
import { CURRENCIES } from "./rates.mjs";
import { openStorage } from "./storage.mjs";

/** @import { Expense } from "./expense.mjs" */
/** @import { Storage } from "./storage.mjs" */

const storedExpense = z.strictObject({
  tenantId: z.string(),
  id: z.string().regex(/^exp-\d{6,9}$/),
  vendor: z.string(),
  minor: z.int().positive(),
  currency: z.enum([...CURRENCIES.keys()]),
  date: z.iso.date(),
  note: z.string().optional(),
  idempotencyKey: z.string().optional(),
});

// Strict: rewriting a file must not drop what another program put there.
const storedLedger = z.strictObject({
  format: z.literal("pack-ledger"),
  v: z.literal(1),
  expenses: z.array(storedExpense),
});

/** @typedef {z.infer<typeof storedExpense>} StoredExpense */

/**
 * The expenses of one tenant, in the order of recording. Throws when what is kept is not a whole ledger.
 *
 * @param {string} tenantId
 * @returns {Promise<Expense[]>}
 */
export async function readExpenses(tenantId) {
  return ofTenant(await load(openStorage()), tenantId);
}

/**
 * Adds an expense. A request whose idempotency key has recorded one already gets that one; it is refused when it
 * asks for another expense. Throws, and changes nothing, when what is kept is not a whole ledger, or when the
 * signal has aborted before the write began.
 *
 * @param {object} request
 * @param {string} request.tenantId
 * @param {Omit<Expense, "id" | "date"> & { date?: string | undefined }} request.expense without a date: of today, in UTC
 * @param {string | undefined} request.idempotencyKey
 * @param {AbortSignal} request.signal
 * @returns {Promise<{ expense: Expense, replayed: boolean, storage: Storage["kind"] }>}
 */
export function addExpense({ tenantId, expense, idempotencyKey, signal }) {
  return inTurn(async () => {
    const storage = openStorage();
    const all = await load(storage);
    const own = ofTenant(all, tenantId);
    const earlier = idempotencyKey && own.find((kept) => kept.idempotencyKey === idempotencyKey);
    if (earlier) {
      refuseOther(expense, earlier);
      return { expense: earlier, replayed: true, storage: storage.kind };
    }
    const added = {
      ...expense,
      tenantId,
      id: expenseId(nextNumber(own)),
      date: expense.date ?? new Date().toISOString().slice(0, 10),
      ...(idempotencyKey ? { idempotencyKey } : {}),
    };
    signal.throwIfAborted();
    await save(storage, [...all, added]);
    return { expense: added, replayed: false, storage: storage.kind };
  });
}

/** @type {Promise<unknown>} */
let last = Promise.resolve();

/**
 * Runs one job after the other: each sees what the one before it has written.
 *
 * @template T
 * @param {() => Promise<T>} job
 * @returns {Promise<T>}
 */
function inTurn(job) {
  const turn = last.then(job);
  last = turn.catch(() => {});
  return turn;
}

/**
 * @param {Storage} storage
 * @returns {Promise<StoredExpense[]>}
 */
async function load(storage) {
  const text = await storage.read();
  if (text === undefined) return [];
  const parsed = storedLedger.safeParse(parseJson(text, storage));
  if (parsed.success) return parsed.data.expenses;
  const { path = [], message = "" } = parsed.error.issues[0] ?? {};
  throw unusable(storage, `is not a ledger of version 1 (at "/${path.join("/")}": ${message})`);
}

/**
 * @param {Storage} storage
 * @param {StoredExpense[]} expenses
 */
async function save(storage, expenses) {
  const ledger = { format: "pack-ledger", v: 1, expenses };
  await storage.replace(`${JSON.stringify(ledger, null, 2)}\n`);
}

/**
 * @param {string} text
 * @param {Storage} storage
 * @returns {unknown}
 */
function parseJson(text, storage) {
  try {
    return JSON.parse(text);
  } catch {
    throw unusable(storage, "is cut short or not JSON");
  }
}

/**
 * @param {Storage} storage
 * @param {string} why
 */
function unusable({ place }, why) {
  return new Error(
    `The ledger in ${place} ${why}. It was left as it is: mend it, move it away, or set LEDGER_FILE to another file`,
  );
}

/**
 * @param {StoredExpense[]} expenses
 * @param {string} tenantId
 */
function ofTenant(expenses, tenantId) {
  return expenses.filter((expense) => expense.tenantId === tenantId);
}

/** @param {StoredExpense[]} expenses */
function nextNumber(expenses) {
  return expenses.reduce((highest, { id }) => Math.max(highest, expenseNumber(id)), 0) + 1;
}

/**
 * @param {Omit<Expense, "id" | "date"> & { date?: string | undefined }} asked
 * @param {StoredExpense} kept
 */
function refuseOther(asked, kept) {
  const same =
    asked.vendor === kept.vendor &&
    asked.minor === kept.minor &&
    asked.currency === kept.currency &&
    asked.note === kept.note &&
    (asked.date === undefined || asked.date === kept.date);
  if (same) return;
  throw new Error(
    `This idempotency key recorded ${kept.id}, which differs from the expense asked for: send a new expense under a new key`,
  );
}
