import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { createRenderer } from "#renderer/index.ts";
import { fontLibrary, loadBundledFonts, loadCodecModules } from "../support/node-modules.ts";
import { hashPacks } from "../support/same-bytes.ts";

/**
 * Guarantee: the same input gives the same bytes, in Node as in workerd (test/integration/same-bytes.test.ts), in every
 * version. After an intended change of pixels raise ENGINE_VERSION and run `UPDATE_SAME_BYTES=1 npx vitest run
 * --project unit same-bytes`.
 */
const HASHES = "test/fixtures/same-bytes.json";

it("files drawn in Node have the committed hashes", async () => {
  const modules = await loadCodecModules();
  const fonts = await loadBundledFonts();
  const drawn = await hashPacks(createRenderer(modules, fonts, fontLibrary));
  if (process.env.UPDATE_SAME_BYTES) writeFileSync(HASHES, `${JSON.stringify(drawn, null, 2)}\n`);
  expect(drawn).toEqual(JSON.parse(readFileSync(HASHES, "utf8")));
});
