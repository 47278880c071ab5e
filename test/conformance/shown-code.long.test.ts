import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeDocsPages, describeDocsSite } from "./shown/docs-site.ts";
import { KINDS } from "./shown/docs-texts.ts";
import { describeGuides } from "./shown/guides.ts";
import { seedWorkspace } from "./support/arrange.ts";
import { openBrowser, openPage, overflowOf, seriousViolations } from "./support/browser.ts";
import { uploadLogo } from "./support/flow.ts";
import { useShownPlace } from "./support/shown-place.ts";

/** Every program in the documents runs as shown, and every kind of page works in a browser. */

const place = useShownPlace();

describeGuides(place);

describe("in a browser on a phone", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  const docs = () => ({ service: place().service, browser });
  describeDocsPages(KINDS.slice(1), docs);
  describeDocsSite(docs);

  it("/docs/try asks for a key first, sends it with an Idempotency-Key, and shows a preview", async () => {
    const { service } = place();
    const { key } = await seedWorkspace(service, { credits: 1 });
    const logo = await uploadLogo(service, key);
    const { page, faults } = await openPage(browser, service.origin, "/docs/try");
    const operation = page.locator("#operations-Previews-createPreview");
    await operation.waitFor();
    expect(await overflowOf(page)).toBe(0);
    expect(await seriousViolations(page, "#use-key")).toEqual([]);
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.id")).toBe("key");
    await page.keyboard.type(key);
    await page.keyboard.press("Enter");

    await operation.locator(".opblock-summary-control").click();
    await operation.locator(".try-out__btn").click();
    await operation
      .locator("textarea.body-param__text")
      .fill(
        JSON.stringify({ contractId: "display.v1", selectedSizeIds: ["iab-320x50"], assetIds: { logo } }),
      );
    const tried = async () => {
      const answered = page.waitForResponse((response) => response.url().endsWith("/api/v1/previews"));
      await operation.locator(".execute").click();
      const answer = await answered;
      const { authorization, "idempotency-key": idempotencyKey } = await answer.request().allHeaders();
      expect([answer.status(), authorization]).toEqual([200, `Bearer ${key}`]);
      return idempotencyKey;
    };
    const given = operation.locator('tr[data-param-name="Idempotency-Key"] input');
    const prefilled = await given.inputValue();
    expect(new Set([await tried(), await tried(), prefilled]).size).toBe(3);
    await given.fill("written-by-hand");
    expect(await tried()).toBe("written-by-hand");

    await operation.locator("img.preview-picture").waitFor();
    const shown = 'document.querySelector("img.preview-picture")';
    expect(await page.evaluate(`${shown}.decode().then(() => ${shown}.naturalWidth)`)).toBeGreaterThan(0);
    expect(await overflowOf(page)).toBe(0);
    expect(faults()).toEqual([]);
  });
});
