import { findContract } from "#catalogue/contracts.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import type { OutputRequest, PackInputs, Renderer } from "#renderer/index.ts";
import { JPEG_SIDEWAYS, png, SVG, WEBP } from "./files.ts";
import { unwrap } from "./unwrap.ts";

/** Packs that use every decoder and encoder; their files must be equal in Node and workerd. */

const LOGO = { bytes: SVG, mimeType: "image/svg+xml" } as const;
const COPY = {
  headline: "Größe, Ύψος, Высота",
  subheadline: "The same bytes on every machine, today and after a restart.",
  cta: "See for yourself",
  disclaimer: "While stocks last.",
};

interface Case {
  readonly name: string;
  readonly assets: PackInputs["assets"];
  readonly copy?: PackInputs["copy"];
  readonly outputs: readonly (Omit<OutputRequest, "size"> & { readonly sizeId: string })[];
}

const CASES: readonly Case[] = [
  {
    name: "campaign",
    assets: { logo: LOGO, media: { bytes: JPEG_SIDEWAYS, mimeType: "image/jpeg" } },
    outputs: [
      { sizeId: "iab-300x250", motion: "static", format: "jpg" },
      { sizeId: "iab-728x90", motion: "static", format: "webp" },
      { sizeId: "iab-160x600", motion: "static", format: "png" },
      { sizeId: "iab-320x50", motion: "animated", format: "gif" },
    ],
  },
  {
    name: "product",
    assets: {
      logo: LOGO,
      product: { bytes: png(320, 400, { isCutOut: true }), mimeType: "image/png" },
      background: { bytes: WEBP, mimeType: "image/webp" },
    },
    outputs: [
      { sizeId: "gads-300x600", motion: "static", format: "jpg" },
      { sizeId: "iab-300x50", motion: "animated", format: "webp" },
      { sizeId: "iab-120x60", motion: "animated", format: "apng" },
    ],
  },
  {
    name: "scripts",
    assets: { logo: LOGO },
    copy: {
      headline: "夏のセール دبي",
      subheadline: "ลดราคา, Geschwindigkeitsbegrenzung, हिन्दी 한국어 🎉",
      cta: "今すぐ購入",
      language: "de",
    },
    outputs: [{ sizeId: "iab-300x250", motion: "static", format: "png" }],
  },
];

const SIZES = findContract("campaign.v1")?.sizes ?? [];

/** SHA-256 of every file of the packs, by name. */
export async function hashPacks(renderer: Renderer): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const { name, assets, copy = COPY, outputs } of CASES) {
    const requests = outputs.map(({ sizeId, ...rest }) => {
      const size = SIZES.find((candidate) => candidate.sizeId === sizeId);
      if (size === undefined) throw new Error(`the catalogue has no ${sizeId}`);
      return { ...rest, size };
    });
    const pack = unwrap(await renderer.prepare({ assets, font: null, copy, brand: {} }));
    for (const request of requests) {
      const drawn = unwrap(await renderer.render(pack, request));
      for (const file of drawn.files) {
        hashes[`${name} ${request.size.sizeId} ${file.role}.${file.extension}`] = await sha256Hex(file.bytes);
      }
    }
    pack.close();
  }
  return hashes;
}
