import type { Browser } from "playwright-core";
import { expect, it } from "vitest";
import { openPage, overflowOf, seriousViolations } from "../support/browser.ts";
import type { Service } from "../support/service.ts";
import { LONG } from "./docs-texts.ts";

/** The documentation works offline, under its own policy, on a phone, in both themes, and accessibly. */

interface Place {
  readonly service: Service;
  readonly browser: Browser;
}

/** Registers tests of pages, one of each kind; `placeOf` is available once they run. */
export function describeDocsPages(paths: readonly string[], placeOf: () => Place): void {
  it.each(paths)(
    "%s is complete and accessible in both themes, and loads only from this origin",
    async (path) => {
      const { service, browser } = placeOf();
      const { page, faults } = await openPage(browser, service.origin, path);
      expect(await overflowOf(page)).toBe(0);
      expect(await seriousViolations(page, "html")).toEqual([]);
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await seriousViolations(page, "html", ["color-contrast"])).toEqual([]);
      expect(faults()).toEqual([]);
      await page.close();
    },
  );
}

/** Registers tests of the whole site; `placeOf` is available once they run. */
export function describeDocsSite(placeOf: () => Place): void {
  it.each(LONG)("%s fits a phone, and loads only from this origin", async (path) => {
    const { service, browser } = placeOf();
    const { page, faults } = await openPage(browser, service.origin, path);
    expect(await overflowOf(page)).toBe(0);
    expect(faults()).toEqual([]);
    await page.close();
  });

  it("finds an error code and an operation by keyboard alone", async () => {
    const { service, browser } = placeOf();
    const { page, faults } = await openPage(browser, service.origin, "/docs");
    const found = async (words: string, address: string) => {
      await page.keyboard.press("/");
      await page.locator("#search-words").fill(words);
      await page.locator("#search-found a").first().waitFor();
      expect(await seriousViolations(page, "#search")).toEqual([]);
      await page.keyboard.press("Enter");
      await page.waitForURL(`${service.origin}${address}`);
    };
    await found("payment required", "/docs/guides/errors#payment_required");
    await found("cancel job", "/docs/reference/jobs#cancelJob");
    await page.keyboard.press("/");
    await page.locator("#search-words").fill("zzzyx");
    await page.getByText("Nothing found").waitFor();
    expect(faults()).toEqual([]);
    await page.close();
  });

  it("shows a chosen language everywhere, keeps the theme, and opens the menu on a phone", async () => {
    const { service, browser } = placeOf();
    const { page, faults } = await openPage(browser, service.origin, "/docs/reference/jobs");
    const create = page.locator("[aria-labelledby=createJob]");
    await create.getByRole("tab", { name: "Python" }).click();
    await create.getByText("import os, uuid").waitFor();
    await create.getByRole("tabpanel").getByText(service.origin).waitFor();
    await page.locator(".theme-button").click();
    await page.locator(".menu-button").click();
    await page.getByRole("link", { name: "Assets" }).click();
    await page.waitForURL("**/docs/reference/assets");
    expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
    expect(await page.getByRole("tab", { name: "Python", selected: true }).count()).toBeGreaterThan(2);
    expect(faults()).toEqual([]);
    await page.close();
  });
}
