import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Browser, Page } from "../browser/node_modules/playwright-core/index.js";
import { startDev } from "../dev/dev-process.ts";
import { accessibilityProblems, hasChromium, launchChromium, openPage } from "./chromium.ts";
import { layLookPack } from "./look-pack.ts";
import { STATES } from "./look-states.ts";
import { focusProblems, layoutProblems, SCREENSHOTS, takeScreenshot } from "./look.ts";

const WINDOWS = {
  wide: { viewport: { width: 1_440, height: 900 }, schemes: ["light", "dark"] },
  narrower: { viewport: { width: 900, height: 1_100 }, schemes: ["light"] },
  phone: {
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    schemes: ["light", "dark"],
  },
} as const;

type Shape = keyof typeof WINDOWS;

describe.skipIf(!hasChromium)("the look of the page", () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium();
    console.log(`Screenshots of the page are kept in ${SCREENSHOTS}`);
  });

  afterAll(() => browser?.close());

  test.each(Object.keys(WINDOWS) as Shape[])(
    "is right in a %s window",
    async (shape) => {
      const { schemes, ...options } = WINDOWS[shape];
      const pack = layLookPack();
      const dev = await startDev([pack.folder]);
      const { page, faults } = await openPage(browser, `${dev.url}/`, options);
      const found: Record<string, string[]> = {};
      for (const [state, reach] of Object.entries(STATES)) {
        await reach({ page, dev, pack });
        const problems = await layoutProblems(page);
        for (const colorScheme of schemes) {
          await page.emulateMedia({ colorScheme });
          await takeScreenshot(page, `${shape}-${state}-${colorScheme}`);
          const rules = colorScheme === "dark" ? ["color-contrast"] : undefined;
          problems.push(...(await accessibilityProblems(page, rules)));
        }
        if (problems.length > 0) found[state] = problems;
      }
      expect(found).toEqual({});
      expect(await focusProblems(page)).toEqual([]);
      expect(faults()).toEqual([]);
    },
    120_000,
  );

  async function show(body: string): Promise<Page> {
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    await page.setContent(`<!doctype html><html lang="en"><title>x</title><main>${body}</main>`);
    return page;
  }

  const SOUND = `<h1>Title</h1><p>Text</p><button>Press</button>`;

  test("is right where nothing is wrong", async () => {
    const page = await show(`<style>:focus-visible { outline: 2px solid }</style>${SOUND}`);
    expect(await layoutProblems(page)).toEqual([]);
    expect(await focusProblems(page)).toEqual([]);
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  test.each([
    ["is wider than the window", `<p style="width: 3000px">Wide</p>`, / is \d+ wide in \d+$/],
    [
      "is cut off",
      `<div style="width: 50px; overflow: hidden; white-space: nowrap"><b>Much too long</b></div>`,
      /^"Much too long" is cut off by <div>/,
    ],
    [
      "leaves its own box",
      `<button style="width: 50px; white-space: nowrap">Much too long</button>`,
      /^"Much too long" is cut off by <button>/,
    ],
    [
      "lies over another",
      `<p style="height: 2px; margin: 0">First</p><p style="margin: 0">Second</p>`,
      /^"First" lies over "Second"$/,
    ],
    [
      "is covered",
      `<button>Press</button><div style="position: fixed; inset: 0"></div>`,
      /^<button> "Press" is covered by <div> ""$/,
    ],
  ])("is wrong where something %s", async (_what, body, problem) => {
    expect(await layoutProblems(await show(body))).toEqual(
      expect.arrayContaining([expect.stringMatching(problem)]),
    );
  });

  test("is wrong where the focus can't be seen, or a text can't be read", async () => {
    const bare = await show(`<style>button { outline: none }</style>${SOUND}`);
    expect(await focusProblems(bare)).toEqual(['<button> "Press" has no ring']);
    const faint = await show(`${SOUND}<p style="color: #aaa">Faint</p>`);
    expect(await accessibilityProblems(faint)).toEqual([
      expect.stringMatching(/^color-contrast: .*Faint/),
    ]);
  });
});
