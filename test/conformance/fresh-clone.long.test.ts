import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir, readFile, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SECRET_NAMES } from "../../scripts/local/secrets.ts";

/** Generated files, which a clone does not contain. */
const MADE = [".cache", ".dev.vars", ".git", ".wrangler", "dist", "generated", "node_modules"];

const isMade = (path: string): boolean => path.split("/").some((part) => MADE.includes(part));

let clone = "";

beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), "creative-packs-clone-"));
  for (const part of await readdir(".")) {
    if (!isMade(part))
      await cp(part, join(clone, part), { recursive: true, filter: (path) => !isMade(path) });
  }
  await symlink(resolve("node_modules"), join(clone, "node_modules"));
});

afterAll(() => rm(clone, { recursive: true, force: true }));

/**
 * Runs wrangler.toml's [build] command like wrangler: in a shell, in the clone, with wrangler's own command in the
 * environment.
 */
async function runBuild(wranglerCommand: string): Promise<void> {
  const configuration = await readFile(join(clone, "wrangler.toml"), "utf8");
  const command = /^\[build\]\n(?:#.*\n)*command = "(.+)"$/m.exec(configuration)?.[1];
  if (command === undefined) throw new Error("wrangler.toml has no build command");
  const env = { ...process.env, WRANGLER_COMMAND: wranglerCommand };
  await promisify(execFile)("sh", ["-c", command], { cwd: clone, env });
}

const has = (path: string): boolean => existsSync(join(clone, path));
const STAMP = ".wrangler/state/v3/d1/migrated";

describe("a fresh clone serves after `npm ci && npx wrangler dev`", () => {
  it("deploy and its dry run generate the files to serve, without secrets or a database", async () => {
    await runBuild("deploy");
    expect([has("dist/assets/docs.html"), has(".dev.vars"), has(".wrangler")]).toEqual([true, false, false]);
    expect(has("sdk/src/generated/operations.ts")).toBe(true);
  });

  it("dev creates local secrets and tables once", async () => {
    await runBuild("dev");
    const secrets = await readFile(join(clone, ".dev.vars"), "utf8");
    expect(secrets.match(/^\w+(?==.{44}$)/gm)).toEqual([...SECRET_NAMES]);
    const { mtimeMs } = await stat(join(clone, STAMP));
    await runBuild("dev");
    expect(await readFile(join(clone, ".dev.vars"), "utf8")).toBe(secrets);
    expect((await stat(join(clone, STAMP))).mtimeMs).toBe(mtimeMs);
  });
});
