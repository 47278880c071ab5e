import type { CreatePack, Schemas } from "../../../sdk/src/index.ts";

/** A file of samples/ and its slot. */
export interface SampleFile {
  readonly slot: Schemas.SlotId;
  readonly file: string;
}

/** A pack of the demo: files by slot, text and sizes. */
export interface DemoPack {
  readonly name: string;
  readonly title: string;
  readonly files: readonly SampleFile[];
  readonly request: Omit<CreatePack, "assetIds">;
  /** Size to preview before the purchase. */
  readonly previewSizeId?: string;
}

export const PACKS: readonly DemoPack[] = [
  {
    name: "campaign",
    title: "A campaign from a photo, a logo and a font",
    files: [
      { slot: "logo", file: "logo.svg" },
      { slot: "media", file: "dandelion.jpg" },
      { slot: "font", file: "fonts/bricolage-grotesque-extrabold.ttf" },
    ],
    request: {
      contractId: "campaign.v2",
      selectedSizeIds: [
        "iab-970x250",
        "meta-story-1080x1920",
        "iab-300x250",
        "meta-feed-1080x1350",
        "iab-160x600",
        "og-1200x630",
        "iab-728x90",
        "meta-feed-1080x1080",
        "gads-320x100",
        "iab-320x50",
      ],
      outputFormat: "jpg",
      copy: {
        headline: "Soft as the first warm day",
        subheadline: "Body oil from meadow flowers, pressed cold in small batches.",
        cta: "Find yours",
        disclaimer: "100 ml. While the season lasts.",
      },
    },
    previewSizeId: "og-1200x630",
  },
  {
    name: "product",
    title: "A product from a cut-out, on a photo taken sideways",
    files: [
      { slot: "logo", file: "logo.svg" },
      { slot: "background", file: "dandelion-turned.jpg" },
      { slot: "product", file: "bottle.png" },
    ],
    request: {
      contractId: "campaign.v2",
      selectedSizeIds: ["meta-feed-1080x1350", "gads-300x600", "gads-336x280", "og-1200x630"],
      outputFormat: "png",
      copy: { headline: "A meadow in a bottle", subheadline: "Pappus body oil, 100 ml", cta: "See the oil" },
    },
  },
];

/** A pack of three sizes, for demos of the steps around it. */
export const smallPack = (name: string, title: string): DemoPack => ({
  name,
  title,
  files: [
    { slot: "logo", file: "logo.svg" },
    { slot: "product", file: "bottle.png" },
  ],
  request: {
    contractId: "campaign.v2",
    selectedSizeIds: ["iab-300x250", "iab-728x90", "gads-336x280"],
    outputFormat: "png",
    copy: { headline: "A meadow in a bottle", cta: "See the oil" },
  },
});
