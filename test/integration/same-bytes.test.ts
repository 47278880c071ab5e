import { expect, it } from "vitest";
import { withRenderer } from "#platform/render-engine.ts";
import written from "../fixtures/same-bytes.json";
import { hashPacks } from "../support/same-bytes.ts";

/** Guarantee: workerd draws byte for byte what Node draws; see test/renderer/same-bytes.long.test.ts. */
it("files drawn in workerd have the hashes written in Node", async () => {
  expect(await withRenderer(hashPacks)).toEqual(written);
});
