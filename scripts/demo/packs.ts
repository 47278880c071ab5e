import type { PackRequest } from "../../src/api/schemas/job.ts";
import type { SlotId } from "../../src/api/slots.ts";

/** A pack that the demo makes: which files in which slots, which words, which sizes. */
export interface DemoPack {
  readonly name: string;
  readonly title: string;
  /** Slot → file in samples/. */
  readonly files: Partial<Record<SlotId, string>>;
  readonly request: Omit<PackRequest, "assetIds">;
  /** The size that is previewed before the pack is bought. */
  readonly previewSizeId?: string;
}

export const PACKS: readonly DemoPack[] = [
  {
    name: "campaign",
    title: "A campaign from a photo, a logo and a font",
    files: {
      media: "dandelion.jpg",
      logo: "logo.svg",
      font: "fonts/bricolage-grotesque-extrabold.ttf",
    },
    request: {
      contractId: "campaign.v1",
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
    files: { product: "bottle.png", background: "dandelion-turned.jpg", logo: "logo.svg" },
    request: {
      contractId: "campaign.v1",
      selectedSizeIds: ["meta-feed-1080x1350", "gads-300x600", "gads-336x280", "og-1200x630"],
      outputFormat: "png",
      copy: { headline: "A meadow in a bottle", subheadline: "Pappus body oil, 100 ml", cta: "See the oil" },
    },
  },
];
