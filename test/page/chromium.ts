import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { onTestFinished } from "vitest";
import playwright from "../browser/node_modules/playwright-core/index.js";
import type {
  Browser,
  BrowserContextOptions,
  Page,
} from "../browser/node_modules/playwright-core/index.js";

/** Debian's Chromium, or the one that `PACK_TEST_CHROMIUM` names. */
export const CHROMIUM = process.env.PACK_TEST_CHROMIUM ?? "/usr/bin/chromium";

export const hasChromium = existsSync(CHROMIUM);

/** Without these it calls home, and can't run as root. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export function launchChromium(): Promise<Browser> {
  return playwright.chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

export interface WatchedPage {
  page: Page;
  /** What must not have happened: console messages of a fault, uncaught errors, requests to elsewhere. */
  faults: () => readonly string[];
}

/** A page in a context of its own, on which everything that is wrong is noted. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 }, ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== new URL(url).origin && protocol !== "data:") faults.push(request.url());
  });
  await page.goto(url);
  return { page, faults: () => faults };
}

const axePath = createRequire(import.meta.url).resolve(
  "../browser/node_modules/axe-core/axe.min.js",
);

const AXE_OPTIONS = { resultTypes: ["violations"], rules: { "target-size": { enabled: true } } };

/** What axe-core finds wrong for people who use the page by other means than sight and mouse, or by some of its rules. */
export async function accessibilityProblems(page: Page, rules?: string[]): Promise<string[]> {
  const options = JSON.stringify({ ...AXE_OPTIONS, ...(rules && { runOnly: rules }) });
  await page.evaluate(readFileSync(axePath, "utf8"));
  const { violations } = (await page.evaluate(`axe.run(document, ${options})`)) as {
    violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
  };
  return violations.flatMap(({ id, nodes }) => {
    return nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`);
  });
}
