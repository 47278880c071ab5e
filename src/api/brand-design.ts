import type { ButtonStyleId, LookId } from "#catalogue/looks.ts";
import type { PackRequest } from "./schemas/job.ts";
import type { BrandAssetName } from "./slots.ts";

/** Fills in a pack request from a saved brand. The service and the Studio's previews share this code. */

export type BrandColours = NonNullable<PackRequest["brand"]>;

/** Values of a brand. Absent and null values are ignored. */
export interface BrandDesign {
  readonly colors?: Readonly<BrandColours>;
  readonly assetIds?: Partial<Readonly<Record<BrandAssetName, string>>>;
  readonly look?: LookId | null;
  readonly buttonStyle?: ButtonStyleId | null;
  readonly disclaimer?: string | null;
  readonly language?: string | null;
}

/** The values of a request that a brand can fill in. */
export interface RequestValues<Look extends string> {
  readonly look?: Look | undefined;
  readonly buttonStyle?: ButtonStyleId | undefined;
  readonly copy?: PackRequest["copy"];
  readonly brand?: Readonly<BrandColours> | undefined;
  readonly assetIds: PackRequest["assetIds"];
}

/**
 * Merges a request with its brand: the request's values win. The brand's second logo and font have no slot, so they are
 * returned as `brandAssetIds`. A logo in the request replaces both logos of the brand, and a font both fonts. A brand's
 * only logo or font is used everywhere.
 */
export function withBrand<Look extends string>(request: RequestValues<Look>, design: BrandDesign) {
  const { disclaimer, language } = design;
  const { logoOnLight, logoOnDark, headlineFont, textFont } = design.assetIds ?? {};
  const { assetIds } = request;
  const logo = assetIds.logo ?? logoOnLight ?? logoOnDark;
  const font = assetIds.font ?? headlineFont ?? textFont;
  const hasLogos = assetIds.logo === undefined && logoOnLight !== undefined && logoOnDark !== undefined;
  const hasFonts =
    assetIds.font === undefined &&
    headlineFont !== undefined &&
    textFont !== undefined &&
    headlineFont !== textFont;
  return {
    look: request.look ?? design.look ?? undefined,
    buttonStyle: request.buttonStyle ?? design.buttonStyle ?? undefined,
    copy: { ...(disclaimer && { disclaimer }), ...(language && { language }), ...request.copy },
    brand: { ...design.colors, ...request.brand },
    assetIds: { ...assetIds, ...(logo && { logo }), ...(font && { font }) },
    brandAssetIds: { ...(hasLogos && { logoOnDark }), ...(hasFonts && { textFont }) },
  };
}
