import { unzipSync } from "fflate";
import sharp from "sharp";
import { expect, it } from "vitest";
import { BANNER_SIZES, drawBanner } from "../motion/banners.ts";
import { seededRandom } from "../support/pictures.ts";
import { fileOf, inputsOf, sampleAsset, withPack } from "../support/renderer.ts";

const [WIDTH, HEIGHT] = [300, 250];

/** Stripes beside fine grain: a PNG of it is smaller than a JPEG of quality 100, and larger than one of quality 98. */
async function stripesAndGrain() {
  const random = seededRandom(1);
  const colours = Uint8Array.from({ length: WIDTH * HEIGHT * 3 }, (_, at) => {
    const [x, y] = [Math.floor(at / 3) % WIDTH, Math.floor(at / 3 / WIDTH)];
    if (x < WIDTH / 10) return (x * 7 + y * 13) % 5 < 2 ? 235 : 20;
    return 119 + Math.floor(random() * 3);
  });
  const png = await sharp(colours, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .png()
    .toBuffer();
  return { bytes: new Uint8Array(png), mimeType: "image/png" as const };
}

it("a banner that fits its cap only as JPEG is drawn, and its photo still moves", async () => {
  const size = BANNER_SIZES.find(({ sizeId }) => sizeId === "gads-300x250");
  if (size?.banner === undefined) throw new Error("gads-300x250 takes no banner");
  const { banner } = size;
  const assets = { background: await stripesAndGrain(), logo: sampleAsset("logo.svg") };
  const inputs = inputsOf({ assets, copy: { headline: "Soft as day", cta: "Find" } });
  await withPack(inputs, async (pack) => {
    const photosAt = async (loadBytesMax: number): Promise<readonly string[]> => {
      const { bytes } = fileOf(await drawBanner(pack, { ...size, banner: { ...banner, loadBytesMax } }));
      return Object.keys(unzipSync(bytes)).filter((name) => name.startsWith("picture-"));
    };
    expect(await photosAt(150_000)).toEqual(["picture-0.png"]);
    expect(await photosAt(40_000)).toEqual(["picture-0.jpg"]);
  });
});
