import { expect, it } from "vitest";
import { createPackCache } from "../../studio/src/engine/pack-cache.ts";
import type { PackSpec } from "../../studio/src/engine/protocol.ts";
import type { DrawnAs, EngineState, SlotFile } from "../../studio/src/engine/types.ts";
import { readSample, renderer, svgAsset } from "../support/renderer.ts";

const fileOf = (id: string, mimeType: SlotFile["mimeType"], bytes: Uint8Array): SlotFile => ({
  id,
  mimeType,
  file: new Blob([Uint8Array.from(bytes)]),
});
const photo = fileOf("photo", "image/jpeg", readSample("dandelion.jpg"));
const logo = fileOf("logo", "image/svg+xml", readSample("logo.svg"));
const font = fileOf("font", "font/ttf", readSample("fonts/tajawal-bold.ttf"));
const garbage = new TextEncoder().encode("no picture and no font");
const nothing = svgAsset("0 0 40 40", '<rect width="40" height="40" fill="none"/>');

const faultsOf = async (assets: PackSpec["assets"]) => {
  const found: EngineState["faultyFiles"][] = [];
  const packs = createPackCache(renderer, ({ faultyFiles }) => found.push(faultyFiles));
  const pack = await packs.packOf({ assets, brand: {}, look: "classic" });
  if (!pack.ok) return pack.fault;
  const { logo: drawn, logoOnDark } = pack.value;
  pack.value.close();
  return { drawn: [drawn !== null, logoOnDark !== null], faults: found };
};

it.each<[DrawnAs, SlotFile, string]>([
  ["logoOnDark", fileOf("bad", "image/png", garbage), "NOT_WHAT_IT_CLAIMS"],
  ["logoOnDark", fileOf("bad", nothing.mimeType, nothing.bytes), "ASSET_EMPTY"],
])(
  "a preview draws the usual logo if the logo for dark backgrounds is faulty: %s",
  async (name, file, code) => {
    expect(await faultsOf({ media: photo, logo, [name]: file })).toEqual({
      drawn: [true, false],
      faults: [{ logo: expect.objectContaining({ code, slot: "logo" }) }],
    });
  },
);

it("a preview skips a brand's faulty font for texts and keeps its font for headlines", async () => {
  const read: (Uint8Array | null | undefined)[] = [];
  const dress: typeof renderer.dress = (sources, inputs) => {
    read.push(inputs.font);
    return renderer.dress(sources, inputs);
  };
  const textFont = fileOf("bad", "font/ttf", garbage);
  const packs = createPackCache({ ...renderer, dress }, () => {});
  const pack = await packs.packOf({ assets: { media: photo, font, textFont }, brand: {}, look: "classic" });
  expect(pack).toMatchObject({ ok: true });
  expect(read.at(-1)).toEqual(readSample("fonts/tajawal-bold.ttf"));
});
