import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeClientLibrary } from "./shown/client-library.ts";
import { describeDocsSite } from "./shown/docs-site.ts";
import { describeGuides } from "./shown/guides.ts";
import { seedWorkspace } from "./support/arrange.ts";
import { graveBarriers, openBrowser, openPage, overflowOf } from "./support/browser.ts";
import { uploadLogo } from "./support/flow.ts";
import { type Service, startService } from "./support/service.ts";
import { HAS_REQUESTS, paste, runWith, SHELLS } from "./support/shells.ts";

const FLOW_ORIGIN = "http://127.0.0.1:8787";

let folder = "";
let service: Service;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "creative-packs-shown-"));
  await mkdir(join(folder, ".wrangler"));
  await symlink(resolve("samples"), join(folder, "samples"));
  service = await startService();
});

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

describe("the README's flow, pasted into a new shell", () => {
  /** As it stands there, for the address of this service. */
  async function readFlow(): Promise<string> {
    const readme = await readFile("README.md", "utf8");
    const [, flow] = readme.slice(readme.indexOf("## The flow with curl")).split(/^```(?:sh)?\n/m);
    if (flow === undefined) throw new Error("README.md has no flow");
    return flow.replace(FLOW_ORIGIN, service.origin);
  }

  async function run(shell: string, credits: number) {
    const { key } = await seedWorkspace(service, { credits });
    await writeFile(join(folder, ".wrangler/dev-key"), key);
    return paste(shell, folder, await readFlow());
  }

  const made = (name: string) => readFile(join(folder, "demo-output/first-pack", name));

  it.each(SHELLS)("%s: makes a pack, and replaces the files of an earlier run", async (shell) => {
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

  it("ends at the first refusal, with the service's own words", async () => {
    const { code, stdout, stderr } = await run("bash", 1);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/PAYMENT_REQUIRED: .+ Add credits/);
    expect(stdout).not.toContain("The manifest");
  });
});

describeClientLibrary(() => ({ service, folder }));

describe("the page at /", () => {
  const pageAs = (accept: string) => fetch(service.origin, { headers: { Accept: accept } });

  /** The code under a label, as a reader copies it. */
  async function shown(label: string): Promise<string> {
    const page = await (await pageAs("text/html")).text();
    const [, block = ""] = page.split(`aria-label="${label}"><code>`);
    const text = block.slice(0, block.indexOf("</code>"));
    return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  }

  const withKey = async (): Promise<NodeJS.ProcessEnv> => ({
    KEY: (await seedWorkspace(service, { credits: 3 })).key,
  });
  const unpacked = () => readFile(join(folder, "pack.zip"));

  it("is a page that runs nothing, for browsers and for whoever asks for nothing; JSON for programs", async () => {
    for (const accept of ["text/html,application/xhtml+xml,*/*;q=0.8", "*/*"]) {
      const answer = await pageAs(accept);
      expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, "text/html; charset=UTF-8"]);
      const policy = answer.headers.get("Content-Security-Policy") ?? "";
      expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]+='; img-src 'self'/);
      expect(await answer.text()).not.toMatch(/<script|\son\w+=|style="/);
    }
    const index = await pageAs("application/json");
    expect(await index.json()).toMatchObject({
      ok: true,
      data: { documentation: "/docs", health: "/health" },
    });
  });

  it("claims a trial key as it shows", async () => {
    const { stdout, stderr } = await paste("bash", folder, await shown("Claim a trial key"));
    expect(stdout, stderr).toMatch(/cpk_trial_\w+/);
  });

  it.each(SHELLS)("makes a pack with curl as it shows, in %s", async (shell) => {
    const { code, stderr } = await paste(shell, folder, await shown("curl"), await withKey());
    expect(code, stderr).toBe(0);
    expect((await unpacked()).subarray(0, 2).toString()).toBe("PK");
  });

  it.each([
    ["Node.js", process.execPath, ["--input-type=module", "-"]],
    ...(HAS_REQUESTS ? [["Python", "python3", ["-"]] as const] : []),
  ] as const)("makes a pack with %s as it shows", async (language, program, parameters) => {
    await rm(join(folder, "pack.zip"), { force: true });
    const { code, stderr } = await runWith(
      program,
      parameters,
      folder,
      await shown(language),
      await withKey(),
    );
    expect(code, stderr).toBe(0);
    expect((await unpacked()).subarray(0, 2).toString()).toBe("PK");
  });
});

describeGuides(() => ({ service, folder }));

describe("in a browser on a phone", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  it("/ shows itself whole, from this origin alone, to everybody", async () => {
    const { page, faults } = await openPage(browser, service.origin, "/");
    for (const summary of await page.locator("summary").all()) await summary.click();
    expect(await overflowOf(page)).toBe(0);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await graveBarriers(page, "html"), colorScheme).toEqual([]);
    }
    expect(faults()).toEqual([]);
  });

  describeDocsSite(() => ({ service, browser }));

  it("/docs/try asks for a key first, sends every try with it and an Idempotency-Key of its own, and shows a preview", async () => {
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
