import { expect, it } from "vitest";
import { draw, fileOf, renderer, withPack } from "../support/renderer.ts";
import { drawsAlikeAmongOthers, PACKS, requestOf } from "./companions.ts";

drawsAlikeAmongOthers(Object.keys(PACKS));

it("a preview reports the paid file, whatever else the job draws", async () => {
  const inputs = PACKS["a photograph"];
  if (inputs === undefined) throw new Error("no inputs");
  const request = requestOf("iab-300x250");
  const paid = await withPack(inputs, (pack) => draw(pack, request));
  const preview = await withPack(inputs, async (pack) => {
    const drawn = await renderer.preview(pack, { ...request, protection: "watermarked-lowres", markSeed: 7 });
    if (!drawn.ok) throw new Error(drawn.message);
    return drawn.value;
  });
  const { bytes, compliance } = fileOf(paid);
  expect(preview.layout).toEqual(paid.layout);
  expect(preview.predicted).toEqual({ ok: true, byteLength: bytes.length, compliance });
});
