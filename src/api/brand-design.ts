import type { ButtonStyleId, LookId } from "#catalogue/looks.ts";
import type { PackRequest } from "./schemas/job.ts";
import type { BrandAssetName } from "./slots.ts";

/** What a pack takes from a saved brand: the same in the service, which orders, and in the Studio, which previews. */

export type BrandColours = NonNullable<PackRequest["brand"]>;

/** What a brand says; a member that is absent or null is left to the order. */
export interface BrandDesign {
  readonly colors?: Readonly<BrandColours>;
  readonly assetIds?: Partial<Readonly<Record<BrandAssetName, string>>>;
  readonly look?: LookId | null;
  readonly buttonStyle?: ButtonStyleId | null;
  readonly disclaimer?: string | null;
  readonly language?: string | null;
}

/** The values of a request that a brand fills in where they are absent. */
export interface OwnValues<Look extends string> {
  readonly look?: Look | undefined;
  readonly buttonStyle?: ButtonStyleId | undefined;
  readonly copy?: PackRequest["copy"];
  readonly brand?: Readonly<BrandColours> | undefined;
  readonly assetIds: PackRequest["assetIds"];
}

/**
 * A request's values with its brand's where it has none of its own, and the brand's second logo and font, which no slot is
 * for. The request's own logo replaces both of the brand's, and its font both fonts. Where a brand has one of the two only,
 * that one is for everything.
 */
export function withBrand<Look extends string>(request: OwnValues<Look>, design: BrandDesign) {
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
