import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeDocsPages, describeDocsSite } from "./shown/docs-site.ts";
import { KINDS } from "./shown/docs-texts.ts";
import { describeGuides } from "./shown/guides.ts";
import { seedWorkspace } from "./support/arrange.ts";
import { graveBarriers, openBrowser, openPage, overflowOf } from "./support/browser.ts";
import { uploadLogo } from "./support/flow.ts";
import { HAS_REQUESTS, paste, runWith, SHELLS } from "./support/shells.ts";
import { useShownPlace } from "./support/shown-place.ts";

/** Guarantee: every program that is shown runs as it is shown, and every kind of page works in a browser. */

const place = useShownPlace();

describe("the programs of the page at /", () => {
  /** The code under a label, as a reader copies it. */
  async function shown(label: string): Promise<string> {
    const page = await (await fetch(place().service.origin, { headers: { Accept: "text/html" } })).text();
    const [, block = ""] = page.split(`aria-label="${label}"><code>`);
    const text = block.slice(0, block.indexOf("</code>"));
    return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  }

  const withKey = async (): Promise<NodeJS.ProcessEnv> => ({
    KEY: (await seedWorkspace(place().service, { credits: 3 })).key,
  });
  const unpacked = () => readFile(join(place().folder, "pack.zip"));

  it("claims a trial key as it shows", async () => {
    const { stdout, stderr } = await paste("bash", place().folder, await shown("Claim a trial key"));
    expect(stdout, stderr).toMatch(/cpk_trial_\w+/);
  });

  it.each(SHELLS)("makes a pack with curl as it shows, in %s", async (shell) => {
    const { code, stderr } = await paste(shell, place().folder, await shown("curl"), await withKey());
    expect(code, stderr).toBe(0);
    expect((await unpacked()).subarray(0, 2).toString()).toBe("PK");
  });

  it.each([
    ["Node.js", process.execPath, ["--input-type=module", "-"]],
    ...(HAS_REQUESTS ? [["Python", "python3", ["-"]] as const] : []),
  ] as const)("makes a pack with %s as it shows", async (language, program, parameters) => {
    await rm(join(place().folder, "pack.zip"), { force: true });
    const { code, stderr } = await runWith(
      program,
      parameters,
      place().folder,
      await shown(language),
      await withKey(),
    );
    expect(code, stderr).toBe(0);
    expect((await unpacked()).subarray(0, 2).toString()).toBe("PK");
  });
});

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

  it("/docs/try asks for a key first, sends every try with it and an Idempotency-Key of its own, and shows a preview", async () => {
    const { service } = place();
    const { key } = await seedWorkspace(service, { credits: 1 });
    const logo = await uploadLogo(service, key);
    const { page, faults } = await openPage(browser, service.origin, "/docs/try");
    const operation = page.locator("#operations-Previews-createPreview");
    await operation.waitFor();
    expect(await overflowOf(page)).toBe(0);
    expect(await graveBarriers(page, "#use-key")).toEqual([]);
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
