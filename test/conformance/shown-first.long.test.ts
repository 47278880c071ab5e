import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeClientLibrary } from "./shown/client-library.ts";
import { describeDocsPages } from "./shown/docs-site.ts";
import { describeDocsTexts, KINDS } from "./shown/docs-texts.ts";
import { seedWorkspace } from "./support/arrange.ts";
import { graveBarriers, openBrowser, openPage, overflowOf } from "./support/browser.ts";
import { paste, SHELLS } from "./support/shells.ts";
import { useShownPlace } from "./support/shown-place.ts";

/**
 * The README's flow, the page at / and the first page of the documentation. Other shown code is in
 * shown-code.long.test.ts.
 */

const FLOW_ORIGIN = "http://127.0.0.1:8787";
const place = useShownPlace();

describe("the README's flow, pasted into a new shell", () => {
  /** The flow as written, with this service's address. */
  async function readFlow(): Promise<string> {
    const readme = await readFile("README.md", "utf8");
    const [, flow] = readme.slice(readme.indexOf("## The flow with curl")).split(/^```(?:sh)?\n/m);
    if (flow === undefined) throw new Error("README.md has no flow");
    return flow.replace(FLOW_ORIGIN, place().service.origin);
  }

  async function run(shell: string, credits: number) {
    const { service, folder } = place();
    const { key } = await seedWorkspace(service, { credits });
    await writeFile(join(folder, ".wrangler/dev-key"), key);
    return paste(shell, folder, await readFlow());
  }

  const made = (name: string) => readFile(join(place().folder, "demo-output/first-pack", name));

  it.each(SHELLS)("%s: makes a pack, and replaces the files of an earlier run", async (shell) => {
    const { folder } = place();
    await mkdir(join(folder, "demo-output/first-pack"), { recursive: true });
    for (const name of ["pack.zip", "preview.png"]) {
      await writeFile(join(folder, "demo-output/first-pack", name), "of an earlier run");
    }
    const { code, stdout, stderr } = await run(shell, 10);
    expect([code, stderr.includes("not found")], stderr).toEqual([0, false]);
    expect(stdout).toMatch(/iab-728x90\S*\.jpg \d+ pass/);
    expect(stdout).toContain("-3 credits, 7 left");
    expect((await made("preview.png")).subarray(1, 4).toString()).toBe("PNG");
    expect((await made("pack.zip")).subarray(0, 2).toString()).toBe("PK");
  });

  it("stops at the first refusal, and prints the service's message", async () => {
    const { code, stdout, stderr } = await run("bash", 1);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/PAYMENT_REQUIRED: .+ Add credits/);
    expect(stdout).not.toContain("The manifest");
  });
});

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
      expect(await graveBarriers(page, "html"), colorScheme).toEqual([]);
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
