import type { Brand, Copy, SlotId } from "../index.ts";

/** Fields of a pack, shared by options and table columns: the option `--second-photo` is the column `second-photo`. */

interface Field {
  /** Name of the column, and of the option without its dashes. */
  readonly name: string;
  readonly about: string;
}

/** Fields that accept the path of a file, an asset id or an https URL. */
export const ASSET_FIELDS: readonly (Field & { readonly slot: SlotId })[] = [
  { name: "logo", slot: "logo", about: "the brand's logo: SVG, PNG, JPEG or WebP" },
  { name: "photo", slot: "media", about: "the campaign's main image" },
  { name: "second-photo", slot: "secondaryMedia", about: "a second image next to the photo" },
  { name: "background", slot: "background", about: "scenery that fills the canvas" },
  { name: "product", slot: "product", about: "a single product: a cut-out or a plain photo" },
  { name: "person", slot: "person", about: "a cut-out person" },
  { name: "device", slot: "device", about: "a complete device" },
  { name: "font", slot: "font", about: "a TrueType or OpenType font for all text" },
];

export const COPY_FIELDS: readonly (Field & { readonly member: keyof Copy })[] = [
  { name: "headline", member: "headline", about: "main line" },
  { name: "subheadline", member: "subheadline", about: "line below the headline" },
  { name: "cta", member: "cta", about: "button text" },
  { name: "disclaimer", member: "disclaimer", about: "legal line" },
  { name: "price", member: "price", about: "price with currency, such as 899 €" },
  { name: "old-price", member: "oldPrice", about: "previous price, struck through" },
  { name: "badge", member: "badge", about: "word or discount on a badge, such as −25 %" },
  { name: "language", member: "language", about: "language of the text, such as de or pt-BR" },
];

export const BRAND_FIELDS: readonly (Field & { readonly member: keyof Brand })[] = [
  { name: "primary-color", member: "primaryColor", about: "button and accents, such as #e4572e" },
  { name: "background-color", member: "backgroundColor", about: "surfaces" },
  { name: "text-color", member: "textColor", about: "text" },
  { name: "accent-color", member: "accentColor", about: "prices, badges and ornaments" },
  { name: "button-color", member: "buttonColor", about: "the button" },
  { name: "button-text-color", member: "buttonTextColor", about: "button text" },
];

/** Fields of the order itself. */
export const ORDER_FIELDS: readonly Field[] = [
  {
    name: "contract",
    about: "contract, such as display.v1; default: one of display sizes, or of videos",
  },
  { name: "sizes", about: "size ids separated by commas, or all" },
  { name: "format", about: "png, jpg or webp; animated: gif, webp, apng, html5 or mp4" },
  { name: "network", about: "for HTML5 banners: google (default), adform, amazon or xandr" },
  { name: "click-url", about: "for HTML5 banners: target of a click, such as https://example.com/spring" },
  { name: "motion", about: "static or animated" },
  { name: "brand", about: "id of a saved brand; other options override its values" },
  {
    name: "button-style",
    about: "pill, soft, square, each also with _outline, or rule; default: the look's",
  },
  { name: "look", about: "style of the pack, such as bold; default: classic" },
  { name: "variant", about: "composition variant of each size: 1, 2 or 3" },
  { name: "composition", about: "auto, full_bleed, split, framed or overlap" },
  { name: "scale", about: "2 for files of twice the pixels, if the sizes support it; default: 1" },
];

/** Fields that accept JSON or the path of a JSON file. */
export const DESIGN_FIELDS = [
  {
    name: "placements",
    about: 'crop of each image, such as {"media": {"focalPoint": {"x": 0.5, "y": 0.3}}}',
  },
  {
    name: "overrides",
    about: 'settings of single sizes, such as {"iab-728x90": {"copy": {"headline": "Go"}}}',
  },
] as const satisfies readonly Field[];

/** All columns of a table. */
export const COLUMN_NAMES: readonly string[] = [
  "name",
  ...[ASSET_FIELDS, COPY_FIELDS, BRAND_FIELDS, ORDER_FIELDS, DESIGN_FIELDS].flatMap((fields) =>
    fields.map(({ name }) => name),
  ),
];
