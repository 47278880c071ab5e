import { expect, it } from "vitest";
import { withRenderer } from "#platform/render-engine.ts";
import written from "../fixtures/same-bytes.json";
import { hashPacks } from "../support/same-bytes.ts";

/** workerd draws the same bytes as Node; see test/renderer/same-bytes.long.test.ts. */
it("files drawn in workerd have the hashes recorded in Node", async () => {
  expect(await withRenderer(hashPacks)).toEqual(written);
});
