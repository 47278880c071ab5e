import {
  AMAZON_ANIMATION,
  DISPLAY_ANIMATION,
  GOOGLE_ADS_ANIMATION,
  LINKEDIN_ANIMATION,
} from "./animation-rules.ts";
import {
  bannerRule,
  LINKEDIN_VIDEO,
  META_VIDEO,
  REELS_VIDEO,
  SHORTS_VIDEO,
  TIKTOK_VIDEO,
} from "./moving-rules.ts";
import type { AnimationRule, BannerRule, OutputFormat, SafeArea, VideoRule } from "./types.ts";

/** 1 KB is 1,000 bytes here, the stricter reading of published limits. */
const KB = 1_000;
const MB = 1_000_000;

/**
 * Formats that a network lists and displays as intended. GIF is omitted where it is shown as a still (X, Demand Gen) or
 * treated as a video (Meta).
 */
const STILLS: readonly OutputFormat[] = ["png", "jpg"];
const STILLS_AND_GIF: readonly OutputFormat[] = ["png", "jpg", "gif"];

/** A version of the contracts. Released versions never change; changed rules become rows of the next version. */
export type ContractVersion = 1 | 2 | 3;

/** Sizes of one network that share the same rules. */
export interface NetworkRow {
  readonly group: string;
  /** `{width}x{height}`. */
  readonly sizes: readonly string[];
  /** Null if the network publishes none. */
  readonly byteCap: number | null;
  /** Source of the sizes and formats; also of the byte cap if `byteCapSourceId` is absent. */
  readonly sourceId: string;
  readonly byteCapSourceId?: string;
  readonly formats: readonly OutputFormat[];
  /** Banners on third-party sites, which need a visible border. */
  readonly display?: boolean;
  /** Insets as fractions of width (left, right) and height (top, bottom). */
  readonly safe?: { readonly area: SafeArea; readonly sourceId: string };
  /** `HOUSE_ANIMATION` if absent. */
  readonly animation?: AnimationRule;
  /** Sizes for which the network documents 2x files; since version 2. */
  readonly scale2?: { readonly sizes: readonly string[]; readonly sourceId: string };
  /** Sizes in which the network accepts videos; since version 3. */
  readonly video?: { readonly sizes: readonly string[]; readonly rule: VideoRule };
  /** Load limits of HTML5 banners; since version 3. */
  readonly banner?: BannerRule;
  /** Contract versions that contain this row; all if absent. */
  readonly versions?: readonly ContractVersion[];
}

/** Converts a safe area from pixels at 1080 × 1920 (top, right, bottom, left) to fractions. */
const safeAt1080 = (sourceId: string, insets: readonly [number, number, number, number]) => {
  const [top, right, bottom, left] = insets;
  return {
    area: { top: top / 1920, right: right / 1080, bottom: bottom / 1920, left: left / 1080 },
    sourceId,
  };
};

/** A vertical placement whose safe area changed in version 2. */
const verticalRow = (row: NetworkRow, first: NetworkRow["safe"] | null, second: NetworkRow["safe"]) => [
  { ...row, ...(first && { safe: first }), versions: [1] } as const,
  { ...row, ...(second && { safe: second }), versions: [2, 3] } as const,
];

/** Banners on third-party sites. */
const BANNERS = { formats: STILLS_AND_GIF, display: true } as const;

/** IAB sizes for which Display & Video 360 accepts images of up to 2x the width and height. */
const DV360_SIZES = "970x250 728x90 160x600 300x250 970x90 300x1050 320x50 300x50".split(" ");

const iabRow = (capKb: number, ...sizes: readonly string[]): NetworkRow => ({
  ...BANNERS,
  group: "iab",
  sizes,
  byteCap: capKb * KB,
  sourceId: "iab-2017",
  animation: DISPLAY_ANIMATION,
  banner: bannerRule(capKb * KB, "iab-2017"),
  scale2: { sizes: DV360_SIZES, sourceId: "dv360-3017252" },
});

/** Every network's sizes and rules, in the catalogue's order. */
export const NETWORK_ROWS: readonly NetworkRow[] = [
  iabRow(250, "970x250"),
  iabRow(150, "728x90", "160x600", "300x250"),
  iabRow(200, "970x90"),
  iabRow(250, "300x1050"),
  iabRow(50, "320x50", "300x50", "120x60"),
  {
    group: "gads",
    sizes:
      "200x200 240x400 250x250 250x360 300x250 336x280 580x400 120x600 160x600 300x600 300x1050 468x60 728x90 930x180 970x90 970x250 980x120 300x50 320x50 320x100".split(
        " ",
      ),
    byteCap: 150 * KB,
    sourceId: "google-ads-1722096",
    ...BANNERS,
    animation: GOOGLE_ADS_ANIMATION,
    banner: bannerRule(150 * KB, "google-ads-html5-secondary"),
  },
  {
    group: "gads-responsive",
    sizes: ["1200x628", "600x600", "1200x1200", "1200x300"],
    byteCap: null,
    sourceId: "google-ads-17090561",
    formats: STILLS,
  },
  {
    group: "demand-gen",
    sizes: ["1200x1200", "1200x628", "960x1200"],
    byteCap: 5 * MB,
    sourceId: "google-ads-17140672",
    formats: STILLS,
  },
  // YouTube Shorts shows this size full-screen, and covers parts of it with its own buttons.
  ...verticalRow(
    {
      group: "demand-gen",
      sizes: ["1080x1920"],
      byteCap: 5 * MB,
      sourceId: "google-ads-17140672",
      formats: STILLS,
      video: { sizes: ["1080x1920"], rule: SHORTS_VIDEO },
    },
    null,
    safeAt1080("google-vertical-secondary", [288, 192, 672, 48]),
  ),
  {
    group: "meta-feed",
    sizes: ["1080x1080", "1080x1350", "1200x628"],
    byteCap: 30 * MB,
    sourceId: "meta-ads-guide",
    byteCapSourceId: "meta-ads-guide-secondary",
    formats: STILLS,
    video: { sizes: ["1080x1080", "1080x1350"], rule: META_VIDEO },
  },
  {
    group: "meta-story",
    sizes: ["1080x1920"],
    byteCap: 30 * MB,
    sourceId: "meta-ads-guide",
    formats: STILLS,
    safe: { area: { top: 0.14, right: 0, bottom: 0.2, left: 0 }, sourceId: "meta-ads-guide" },
    video: { sizes: ["1080x1920"], rule: META_VIDEO },
  },
  {
    group: "meta-reel",
    sizes: ["1080x1920"],
    byteCap: 30 * MB,
    sourceId: "meta-ads-guide",
    formats: STILLS,
    safe: {
      area: { top: 0.14, right: 0.06, bottom: 0.35, left: 0.06 },
      sourceId: "meta-ads-guide-secondary",
    },
    video: { sizes: ["1080x1920"], rule: REELS_VIDEO },
  },
  // TikTok's templates also keep the left side free.
  ...verticalRow(
    {
      group: "tiktok",
      sizes: ["720x1280"],
      byteCap: 100 * MB,
      sourceId: "tiktok-pangle",
      formats: STILLS,
      video: { sizes: ["720x1280"], rule: TIKTOK_VIDEO },
    },
    safeAt1080("tiktok-in-feed-secondary", [150, 150, 440, 0]),
    safeAt1080("tiktok-template-secondary", [150, 150, 440, 120]),
  ),
  {
    group: "snapchat",
    sizes: ["1080x1920"],
    byteCap: 5 * MB,
    sourceId: "snapchat-secondary",
    formats: STILLS,
    safe: safeAt1080("snapchat-secondary", [150, 0, 150, 0]),
    versions: [2, 3],
  },
  {
    group: "tiktok",
    sizes: ["640x640", "1200x628"],
    byteCap: 100 * MB,
    sourceId: "tiktok-pangle",
    formats: STILLS,
    video: { sizes: ["640x640"], rule: TIKTOK_VIDEO },
  },
  {
    group: "linkedin",
    sizes: ["1200x628", "1200x1200", "720x900"],
    byteCap: 5 * MB,
    sourceId: "linkedin-a426534",
    formats: STILLS_AND_GIF,
    animation: LINKEDIN_ANIMATION,
    video: { sizes: ["1200x1200", "720x900"], rule: LINKEDIN_VIDEO },
  },
  {
    group: "x",
    sizes: ["800x418", "800x800"],
    byteCap: 5 * MB,
    sourceId: "x-creative-specifications",
    formats: STILLS,
  },
  {
    group: "x",
    sizes: ["1200x628", "1200x1200"],
    byteCap: 5 * MB,
    sourceId: "x-secondary",
    byteCapSourceId: "x-creative-specifications",
    formats: STILLS,
  },
  {
    group: "pinterest",
    sizes: ["1000x1500"],
    byteCap: 20 * MB,
    sourceId: "pinterest-product-specs",
    formats: STILLS,
  },
  {
    group: "pinterest",
    sizes: ["1080x1920"],
    byteCap: 20 * MB,
    sourceId: "pinterest-vertical-secondary",
    formats: STILLS,
    safe: safeAt1080("pinterest-pin-specs", [270, 195, 790, 65]),
    versions: [2, 3],
  },
  {
    group: "youtube-thumb",
    sizes: ["1280x720"],
    byteCap: 2 * MB,
    sourceId: "youtube-thumbnails-set",
    formats: STILLS,
  },
  {
    group: "youtube-banner",
    sizes: ["2560x1440"],
    byteCap: 6 * MB,
    sourceId: "youtube-channel-banners",
    formats: STILLS,
    safe: {
      area: {
        top: (1440 - 423) / 2 / 1440,
        right: (2560 - 1546) / 2 / 2560,
        bottom: (1440 - 423) / 2 / 1440,
        left: (2560 - 1546) / 2 / 2560,
      },
      sourceId: "youtube-banner-secondary",
    },
  },
  {
    group: "amazon",
    sizes: ["300x250", "160x600", "300x600", "728x90", "970x250", "320x50", "414x125", "980x55"],
    byteCap: null,
    sourceId: "amazon-ecommerce-creative",
    ...BANNERS,
    animation: AMAZON_ANIMATION,
    banner: bannerRule(150 * KB, "iab-2017"),
    scale2: {
      sizes: ["300x250", "728x90", "970x250", "320x50", "414x125"],
      sourceId: "amazon-dsp-secondary",
    },
  },
  {
    group: "og",
    sizes: ["1200x630"],
    byteCap: 8 * MB,
    sourceId: "meta-sharing-images",
    formats: STILLS,
  },
];
