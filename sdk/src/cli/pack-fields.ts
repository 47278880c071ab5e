import type { Brand, Copy, SlotId } from "../index.ts";

/**
 * What describes a pack, once for options and for columns of a table: `--headline` on the command line is the column
 * `headline`, `--second-photo` the column `second-photo`.
 */

interface Field {
  /** The option without its dashes, and the column. */
  readonly name: string;
  readonly about: string;
}

/** Each takes a file, the id of an asset, or an https address. */
export const ASSET_FIELDS: readonly (Field & { readonly slot: SlotId })[] = [
  { name: "logo", slot: "logo", about: "the brand's mark: SVG, PNG, JPEG or WebP" },
  { name: "photo", slot: "media", about: "the campaign's picture" },
  { name: "second-photo", slot: "secondaryMedia", about: "a second picture beside the photo" },
  { name: "background", slot: "background", about: "scenery that fills the canvas" },
  { name: "product", slot: "product", about: "one product, a cut-out or a plain shot" },
  { name: "person", slot: "person", about: "a person, cut out" },
  { name: "device", slot: "device", about: "a complete device" },
  { name: "font", slot: "font", about: "a TrueType or OpenType font for all words" },
];

export const COPY_FIELDS: readonly (Field & { readonly member: keyof Copy })[] = [
  { name: "headline", member: "headline", about: "the main line" },
  { name: "subheadline", member: "subheadline", about: "the line under it" },
  { name: "cta", member: "cta", about: "words of the button" },
  { name: "disclaimer", member: "disclaimer", about: "the legal line" },
  { name: "price", member: "price", about: "what it costs, as 899 €" },
  { name: "old-price", member: "oldPrice", about: "what it cost before, struck through" },
  { name: "badge", member: "badge", about: "a word or a reduction on its own shape, as −25 %" },
  { name: "language", member: "language", about: "language of the words, as de or pt-BR" },
];

export const BRAND_FIELDS: readonly (Field & { readonly member: keyof Brand })[] = [
  { name: "primary-color", member: "primaryColor", about: "button and accents, as #e4572e" },
  { name: "background-color", member: "backgroundColor", about: "surfaces" },
  { name: "text-color", member: "textColor", about: "words" },
  { name: "accent-color", member: "accentColor", about: "prices, badges and ornaments" },
  { name: "button-color", member: "buttonColor", about: "the button" },
  { name: "button-text-color", member: "buttonTextColor", about: "words of the button" },
];

/** What is ordered, beside what it is made of. */
export const ORDER_FIELDS: readonly Field[] = [
  {
    name: "contract",
    about: "the contract, as display.v1; where none is named, one of display sizes or of videos",
  },
  { name: "sizes", about: "ids of sizes with commas between them, or all" },
  { name: "format", about: "png, jpg or webp; animated: gif, webp, apng, html5 or mp4" },
  { name: "network", about: "of HTML5 banners: google, adform, amazon or xandr; google otherwise" },
  { name: "click-url", about: "of HTML5 banners: where a click leads, as https://example.com/spring" },
  { name: "motion", about: "static or animated" },
  { name: "brand", about: "id of a saved brand; other options win over its values" },
  {
    name: "button-style",
    about: "pill, soft, square, each also with _outline, or rule; the look's otherwise",
  },
  { name: "look", about: "style of the pack, as bold; classic otherwise" },
  { name: "variant", about: "which composition of each size: 1, 2 or 3" },
  { name: "composition", about: "auto, full_bleed, split, framed or overlap" },
  { name: "scale", about: "2 for files of twice the pixels, of sizes that take them; 1 otherwise" },
];

/** Each takes JSON, or a file with it. */
export const DESIGN_FIELDS = [
  {
    name: "placements",
    about: 'what of each picture to show, as {"media": {"focalPoint": {"x": 0.5, "y": 0.3}}}',
  },
  {
    name: "overrides",
    about: 'what single sizes have of their own, as {"iab-728x90": {"copy": {"headline": "Go"}}}',
  },
] as const satisfies readonly Field[];

/** Every column that a table may have. */
export const COLUMN_NAMES: readonly string[] = [
  "name",
  ...[ASSET_FIELDS, COPY_FIELDS, BRAND_FIELDS, ORDER_FIELDS, DESIGN_FIELDS].flatMap((fields) =>
    fields.map(({ name }) => name),
  ),
];
