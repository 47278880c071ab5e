import { access, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { emptyPackFolder } from "../../scripts/run/demo/make-pack.ts";

it("a demo replaces the files of its own packs, and keeps another demo's pages", async () => {
  const output = await mkdtemp(join(tmpdir(), "creative-packs-demo-"));
  await mkdir(join(output, "delivered"));
  await writeFile(join(output, "index.html"), "the first demo's page");
  await writeFile(join(output, "delivered/old.png"), "of an earlier run");
  expect(await readdir(await emptyPackFolder(output, "delivered"))).toEqual([]);
  await access(join(output, "index.html"));
  await rm(output, { recursive: true });
});
