import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seedWorkspace } from "./support/arrange.ts";
import { type Service, startService } from "./support/service.ts";
import { paste, SHELLS } from "./support/shells.ts";

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

  it.each(SHELLS)("%s: ends at the first refusal, with the service's own words", async (shell) => {
    const { code, stdout, stderr } = await run(shell, 1);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/PAYMENT_REQUIRED: .+ Add credits/);
    expect(stdout).not.toContain("The manifest");
  });
});
