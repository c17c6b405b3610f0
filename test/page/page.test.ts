import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "../browser/node_modules/playwright-core/index.js";
import { layPack, output, startDev } from "../dev/dev-process.ts";
import type { DevProcess } from "../dev/dev-process.ts";
import { accessibilityProblems, hasChromium, launchChromium, openPage } from "./chromium.ts";

const HOSTILE = `<img src=x onerror="alert('name')">`;

const trip = {
  id: "plan-trip",
  description: `Plans a trip ${HOSTILE}`,
  input: {
    type: "object",
    properties: {
      traveller: { type: "string", minLength: 2, description: `Who ${HOSTILE}` },
      nights: { type: "integer", minimum: 1, default: 2 },
      class: { enum: ["economy", "business"] },
      stops: {
        type: "array",
        items: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
      },
    },
    required: ["traveller"],
  },
  output: {},
  modulePath: "trip.mjs",
};
const fails = { id: "fails", input: { type: "string" }, output: {}, modulePath: "fails.mjs" };
const limit = {
  id: "limit",
  kind: "check",
  action: "block",
  checkModulePath: "limit.mjs",
  config: { limit: 5 },
  configSchema: { type: "object", properties: { limit: { type: "number" } } },
};
const FILES = {
  "trip.mjs": `export default (input) => ({ ...input, note: ${JSON.stringify(HOSTILE)} });`,
  "fails.mjs": `export default () => { throw new Error(${JSON.stringify(HOSTILE)}); };`,
  "limit.mjs":
    "export const evaluate = ({ limit }, { cost }) => ({ passed: cost <= limit, reason: 'cost ' + cost });",
};

describe.skipIf(!hasChromium)("the page of dev", () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium();
  });

  afterAll(() => browser?.close());

  async function serve(): Promise<DevProcess & { pack: ReturnType<typeof layPack> }> {
    const index = { packId: HOSTILE, tools: [trip, fails], guardrails: [limit] };
    const pack = layPack(index, FILES);
    return { ...(await startDev([pack.folder])), pack };
  }

  async function open(options?: Parameters<typeof openPage>[2]) {
    const dev = await serve();
    return { dev, ...(await openPage(browser, `${dev.url}/`, options)) };
  }

  test("calls a tool by its form and shows the answer, the call and how long it took", async () => {
    const { dev, page, faults } = await open();
    await page.getByRole("button", { name: "plan-trip" }).click();
    await page.getByLabel("traveller").fill("Ada");
    await page.getByLabel("class").selectOption({ label: "business" });
    await page.getByRole("button", { name: "Call", exact: true }).click();
    const answer = page.getByRole("group", { name: "Output" });
    await answer.waitFor();
    expect(JSON.parse(await answer.innerText())).toEqual({
      traveller: "Ada",
      nights: 2,
      class: "business",
      note: HOSTILE,
    });
    await page.getByRole("row", { name: /plan-trip ok/ }).waitFor();
    await page.getByRole("img", { name: /^Last call: median \d+ ms/ }).waitFor();
    // From elsewhere, too.
    await output(dev, "plan-trip", { traveller: "Bob" });
    await expect.poll(() => page.getByRole("row", { name: /plan-trip ok/ }).count()).toBe(2);
    expect(faults()).toEqual([]);
  });

  test("shows issues at their fields, nested ones too, until the input is right", async () => {
    const { page, faults } = await open();
    await page.getByRole("button", { name: "Add an item" }).click();
    await page.getByLabel("nights").fill("0");
    await page.getByRole("button", { name: "Call", exact: true }).click();
    const errorsOf = async (label: string) => {
      const id = await page.getByLabel(label, { exact: false }).first().getAttribute("id");
      return page.locator(`[id="${id}__error"]`).innerText();
    };
    await page.getByText("input-validation-failed").first().waitFor();
    expect(await errorsOf("traveller")).toContain("required property 'traveller'");
    expect(await errorsOf("nights")).toContain(">= 1");
    expect(await errorsOf("city")).toContain("required property 'city'");
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByLabel("traveller").fill("Ada");
    await page.getByLabel("nights").fill("3");
    await page.getByLabel("city").fill("Oslo");
    await page.keyboard.press("Enter");
    await page.getByRole("group", { name: "Output" }).waitFor();
    expect(await page.locator(".error-detail").count()).toBe(0);
    expect(faults()).toEqual([]);
  });

  test("takes the input as JSON, and says what is none", async () => {
    const { page, faults } = await open();
    await page.getByRole("button", { name: "JSON", exact: true }).click();
    const text = page.getByLabel("Input as JSON");
    await text.fill('{"traveller": "Ada", "nights": 4');
    await page.getByRole("alert").filter({ hasText: /JSON/ }).waitFor();
    await text.fill('{"traveller": "Ada", "nights": 4}');
    await page.keyboard.press("Control+Enter");
    await page.getByRole("group", { name: "Output" }).getByText('"nights": 4').waitFor();
    await page.getByRole("button", { name: "Form", exact: true }).click();
    expect(await page.getByLabel("nights").inputValue()).toBe("4");
    expect(faults()).toEqual([]);
  });

  test("shows what was thrown, and runs nothing that a pack says", async () => {
    const { page, faults } = await open();
    await page.getByRole("button", { name: "fails" }).click();
    await page.getByRole("textbox", { name: "Input" }).fill("x");
    await page.keyboard.press("Enter");
    await page.getByRole("group", { name: "Cause" }).getByText(HOSTILE).waitFor();
    expect(await page.title()).toContain(HOSTILE);
    expect(await page.locator("img[src=x]").count()).toBe(0);
    expect(faults()).toEqual([]);
  });

  test("runs a check over a trace", async () => {
    const { page, faults } = await open();
    await page.getByRole("button", { name: "limit" }).click();
    await page.getByLabel("limit").fill("7");
    await page.getByLabel("Trace as JSON").fill('{"cost": 8}');
    await page.getByRole("button", { name: "Call", exact: true }).click();
    await page
      .getByRole("status")
      .filter({ hasText: /not passed.*cost 8/ })
      .waitFor();
    expect(faults()).toEqual([]);
  });

  test("is walked by keyboard alone", async () => {
    const { page, faults } = await open();
    await page.getByRole("button", { name: "plan-trip" }).waitFor();
    const focused = () =>
      page.evaluate(() => {
        const { activeElement: element } = document;
        const label = (element as HTMLInputElement | null)?.labels?.[0]?.textContent;
        return (label ?? element?.textContent ?? "").replace("*", "").trim();
      });
    const stops: string[] = [];
    for (let i = 0; i < 11; i++) {
      await page.keyboard.press("Tab");
      stops.push(await focused());
    }
    expect(stops).toEqual([
      "plan-trip",
      "fails",
      "limit",
      "Form",
      "JSON",
      "traveller",
      "nights",
      "class",
      "+ Add",
      "Context",
      "Call",
    ]);
    for (let i = 0; i < 5; i++) await page.keyboard.press("Shift+Tab");
    await page.keyboard.type("Ada");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("group", { name: "Output" }).getByText('"Ada"').waitFor();
    expect(await focused()).toBe("traveller");
    expect(faults()).toEqual([]);
  });

  test.each(["light", "dark"] as const)(
    "is accessible and %s where that is asked for",
    async (colorScheme) => {
      const { page, faults } = await open({ colorScheme });
      await page.getByLabel("traveller").fill("Ada");
      await page.keyboard.press("Enter");
      await page.getByRole("group", { name: "Output" }).waitFor();
      await page.getByRole("row", { name: /plan-trip ok/ }).waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      const background = await page.evaluate(
        () => getComputedStyle(document.documentElement).backgroundColor,
      );
      expect(background).toBe(colorScheme === "light" ? "rgb(255, 255, 255)" : "rgb(21, 23, 27)");
      expect(faults()).toEqual([]);
    },
  );

  test("fits a narrow window", async () => {
    const { page } = await open({ viewport: { width: 360, height: 740 } });
    await page.getByLabel("traveller").waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  test("follows the pack: a new schema, a broken save, a mended one", async () => {
    const { dev, page, faults } = await open();
    await page.getByLabel("traveller").waitFor();
    dev.pack.write("trip.mjs", "export default () => {");
    await page.getByRole("alert", { name: "Problems" }).getByText("trip.mjs").waitFor();
    await page.getByText("The last change isn't served").waitFor();
    dev.pack.write("trip.mjs", FILES["trip.mjs"]);
    await page.getByText("Serving", { exact: true }).waitFor();
    const properties = { ...trip.input.properties, pets: { type: "integer" } };
    const tools = [{ ...trip, input: { ...trip.input, properties } }];
    dev.pack.write(
      "index.json",
      JSON.stringify({ ...JSON.parse(dev.pack.read("index.json")), tools }),
    );
    await page.getByLabel("pets").waitFor();
    expect(faults()).toEqual([]);
  });

  test("says when dev is gone", async () => {
    const { dev, page } = await open();
    await page.getByLabel("traveller").waitFor();
    dev.kill("SIGTERM");
    await page.getByText("dev isn't running").waitFor();
    await dev.exited;
  });
});
