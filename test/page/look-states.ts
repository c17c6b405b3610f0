import { expect } from "vitest";
import type { Page } from "../browser/node_modules/playwright-core/index.js";
import { output } from "../dev/dev-process.ts";
import type { DevProcess, TestPack } from "../dev/dev-process.ts";
import { LONG_NAME } from "./look-pack.ts";

export interface Look {
  page: Page;
  dev: DevProcess;
  pack: TestPack;
}

async function choose(page: Page, target: string): Promise<void> {
  await page.getByRole("button", { name: target }).click();
}

async function press(page: Page, button = "Call"): Promise<void> {
  await page.getByRole("button", { name: button, exact: true }).click();
}

/** How the page comes to what it may have to show, each from the one before. */
export const STATES: Readonly<Record<string, (look: Look) => Promise<void>>> = {
  async "1-before"({ page }) {
    await page.getByLabel("traveller").waitFor();
  },

  async "2-issues"({ page }) {
    await page.getByLabel("nights").fill("0");
    await page.getByRole("group", { name: "Stops" }).getByLabel("Add an item").click();
    await page.getByLabel("Extras").selectOption("luggage");
    await press(page);
    await page.getByText("input-validation-failed").first().waitFor();
  },

  async "3-history"({ page, dev }) {
    await page.getByLabel("traveller").fill("Ada Lovelace");
    await page.getByLabel("Departs on").fill("2026-12-24");
    await page.getByLabel("nights").fill("3");
    await page.getByLabel("city").fill("Oslo");
    await page.getByRole("textbox", { name: "card" }).fill("4000000000000000");
    await press(page);
    await page.getByRole("group", { name: "Output" }).waitFor();
    await output(dev, LONG_NAME);
    for (let i = 0; i < 40; i++) await output(dev, "convert-currency", { i });
    await output(dev, "fails").catch(() => {});
    await page.getByRole("row", { name: /fails/ }).waitFor();
    expect(await page.getByRole("row").count()).toBe(45);
  },

  async "4-json"({ page }) {
    await press(page, "JSON");
    await page.getByLabel("Input as JSON").fill('{"traveller": "Ada"');
    await page.getByText("Context", { exact: true }).click();
    await page.locator("summary", { hasText: "Input schema" }).click();
    await page.getByRole("alert").filter({ hasText: /JSON/ }).waitFor();
  },

  async "5-thrown"({ page }) {
    await choose(page, "fails");
    await page.getByRole("textbox", { name: "Input" }).fill("x");
    await press(page);
    await page.getByRole("group", { name: "Cause" }).waitFor();
  },

  async "6-running"({ page }) {
    await choose(page, "waits");
    await press(page);
    await page.getByRole("button", { name: "Cancel" }).waitFor();
  },

  async "7-check"({ page }) {
    await press(page, "Cancel");
    await choose(page, "spending-limit");
    await page.getByLabel("Trace as JSON").fill('{"cost": 8}');
    await press(page);
    await page.getByText("not passed").waitFor();
  },

  async "8-problems"({ page, pack }) {
    pack.write("trip.mjs", "export default () => {");
    await page.getByRole("alert", { name: "Problems" }).waitFor();
    await choose(page, "book-trip");
  },
};
