import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import type { Page } from "../browser/node_modules/playwright-core/index.js";

/** Where screenshots go: a folder that Git ignores, or the one that `PACK_TEST_SCREENSHOTS` names. */
export const SCREENSHOTS =
  process.env.PACK_TEST_SCREENSHOTS ?? fileURLToPath(new URL("screenshots", import.meta.url));

/** Keeps the whole page as a picture, for a person to look at. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
}

const [layout] = buildSync({
  entryPoints: [fileURLToPath(new URL("layout.ts", import.meta.url))],
  bundle: true,
  write: false,
  format: "iife",
  globalName: "layout",
}).outputFiles;

/** What is wider than the window, cut off, one over another, or covered. */
export async function layoutProblems(page: Page): Promise<string[]> {
  return page.evaluate(`${layout?.text}; layout.problems()`);
}

/** Walks the page by Tab, which must come by every control. Names what has no ring when it has the focus, or one that is cut off. */
export async function focusProblems(page: Page): Promise<string[]> {
  const controls = await page.evaluate(startWalk);
  const problems: string[] = [];
  for (let stops = 0; ; stops++) {
    await page.keyboard.press("Tab");
    const problem = await page.evaluate(ringProblem);
    if (problem === undefined) {
      if (stops < controls) problems.push(`Tab stops at ${stops} of ${controls} controls`);
      return problems;
    }
    if (problem !== "") problems.push(problem);
  }
}

/** Goes to where the first Tab leads to the first control. Returns how many there are. */
function startWalk(): number {
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute("tabindex");
  const controls = document.querySelectorAll<HTMLElement>(
    "button, input, select, textarea, summary",
  );
  return [...controls].filter((one) => one.checkVisibility() && !one.matches(":disabled")).length;
}

/** Nothing when the walk is over. */
function ringProblem(): string | undefined {
  const { activeElement: focused } = document;
  if (!focused || focused === document.body) return undefined;
  const name = `<${focused.localName}> "${(focused.textContent ?? "").slice(0, 40)}"`;
  const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(focused);
  const width = parseFloat(outlineWidth);
  if (outlineStyle === "none" || width < 2) return `${name} has no ring`;
  const reach = width + parseFloat(outlineOffset);
  const { left, right, top, bottom } = focused.getBoundingClientRect();
  for (let box = focused.parentElement; box && box !== document.body; box = box.parentElement) {
    if (getComputedStyle(box).overflowX === "visible") continue;
    const edge = box.getBoundingClientRect();
    const isIn =
      left - reach >= edge.left &&
      right + reach <= edge.right &&
      top - reach >= edge.top &&
      bottom + reach <= edge.bottom;
    if (!isIn) return `the ring of ${name} is cut off`;
  }
  return "";
}
