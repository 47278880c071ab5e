import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeClientLibrary } from "./shown/client-library.ts";
import { describeDocsPages } from "./shown/docs-site.ts";
import { describeDocsTexts, KINDS } from "./shown/docs-texts.ts";
import { openBrowser, openPage, overflowOf, seriousViolations } from "./support/browser.ts";
import { useShownPlace } from "./support/shown-place.ts";

/** The README's program, the page at / and the first page of the documentation; shown-code.long.test.ts has the rest. */

const place = useShownPlace();

describe("/", () => {
  const rootAs = (accept: string) => fetch(place().service.origin, { headers: { Accept: accept } });

  it("is a page without inline code for browsers and clients without Accept; JSON for programs", async () => {
    for (const accept of ["text/html,application/xhtml+xml,*/*;q=0.8", "*/*"]) {
      const answer = await rootAs(accept);
      expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, "text/html; charset=utf-8"]);
      expect(answer.headers.get("X-Robots-Tag")).toBeNull();
      const policy = answer.headers.get("Content-Security-Policy") ?? "";
      expect(policy).toMatch(/^default-src 'none'; script-src 'self' 'wasm-unsafe-eval';/);
      expect(policy).not.toContain("unsafe-inline");
      expect(await answer.text()).not.toMatch(/<script[^>]*>[^<]|\son\w+=|style=|<style/);
    }
    const index = await rootAs("application/json");
    expect(await index.json()).toMatchObject({
      ok: true,
      data: { documentation: "/docs", health: "/health" },
    });
  });
});

describeClientLibrary(place);

describeDocsTexts(place);

describe("in a browser on a phone", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  describeDocsPages(KINDS.slice(0, 1), () => ({ service: place().service, browser }));

  it("/ is complete and accessible, and loads only from this origin", async () => {
    const { page, faults } = await openPage(browser, place().service.origin, "/");
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await overflowOf(page)).toBe(0);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await seriousViolations(page, "html"), colorScheme).toEqual([]);
    }
    expect(faults()).toEqual([]);
  });

  it("unknown addresses are the Studio's page for a browser's navigation, and 404 for programs", async () => {
    const { origin } = place().service;
    const page = await browser.newPage();
    for (const path of ["/sign-in", "/w/any/packs", "/review/token"]) {
      const answer = await page.goto(origin + path);
      expect([answer?.status(), answer?.headers()["content-type"]], path).toEqual([
        200,
        "text/html; charset=utf-8",
      ]);
      expect(answer?.headers()["x-robots-tag"], path).toBe("noindex");
      expect((await fetch(origin + path)).status, path).toBe(404);
    }
    for (const path of ["/api/v1/nothing", "/docs/nothing"]) {
      expect((await page.goto(origin + path))?.status(), path).toBe(404);
    }
    await page.close();
  });
});
