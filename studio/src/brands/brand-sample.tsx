import { useQuery } from "@tanstack/react-query";
import { LOOK_IDS } from "creative-packs-service/looks";
import type { Brand } from "creative-packs-service/renderer";
import { vividest } from "creative-packs-service/renderer/dominant-colours";
import { LOOKS, withButton } from "creative-packs-service/renderer/look";
import { toOklab } from "creative-packs-service/renderer/oklab";
import { contrast, parseHex } from "creative-packs-service/renderer/srgb";
import { chooseTheme } from "creative-packs-service/renderer/theme";
import { useEffect, useId } from "react";
import { useTranslation } from "react-i18next";
import { useWorkspaceId } from "#app/workspace.ts";
import type { FileColour } from "#editor/draft/draft.ts";
import { useBlobUrl } from "#ui/use-blob-url.ts";
import { type BrandForm, brandFileQuery } from "./brand-queries.ts";

type Rgb = ReturnType<typeof parseHex>;
const hexOf = ({ r, g, b }: Rgb) => `#${((r << 16) | (g << 8) | b).toString(16).padStart(6, "0")}`;

/** Least share of a logo that is the colour of its brand. */
const BRAND_SHARE_MIN = 0.04;
/** Least contrast of a colour that is seen, and its least share in a logo that keeps its colours. */
const [SEEN_CONTRAST_MIN, SEEN_SHARE_MIN] = [3, 0.8];

/** The colours that the engine chooses for a pack of the brand's logo and no picture, and those that each role has there. */
export function themeOfBrand({ colors, look, buttonStyle }: BrandForm, logoColours: readonly FileColour[]) {
  const logo = logoColours.map(({ colour, share }) => {
    const rgb = parseHex(colour);
    return { colour: rgb, lab: toOklab(rgb), share };
  });
  const style = withButton(LOOKS[look ?? LOOK_IDS[0]], buttonStyle ?? undefined);
  const logoVisibility = (surface: Rgb): number =>
    logo.reduce(
      (sum, { colour, share }) => (contrast(colour, surface) < SEEN_CONTRAST_MIN ? sum - share : sum),
      1,
    );
  const theme = chooseTheme({
    ...{ family: "brand", look: style, brand: colors, hero: [], logo, logoVisibility },
  });
  const own = vividest(logo, BRAND_SHARE_MIN)?.colour;
  const roles: Brand = {
    ...(own && { primaryColor: hexOf(own) }),
    ...{
      backgroundColor: hexOf(theme.surface),
      textColor: hexOf(theme.ink),
      accentColor: hexOf(theme.accentFill),
    },
    ...{ buttonColor: hexOf(theme.button), buttonTextColor: hexOf(theme.buttonInk) },
  };
  return {
    theme: { ...theme, look: style, isLogoSeen: logoVisibility(theme.surface) >= SEEN_SHARE_MIN },
    roles,
  };
}

const SHAPES = {
  pill: "rounded-full border px-4",
  soft: "rounded-md border px-4",
  square: "border px-4",
  rule: "border-b",
};

interface BrandSampleProps {
  readonly brand: BrandForm;
  readonly theme: ReturnType<typeof themeOfBrand>["theme"];
}

/** Logo, words and a button in the brand's colours, fonts, look and button style; a strip in a narrow window. */
export function BrandSample({ brand: { assetIds }, theme }: BrandSampleProps) {
  const { t } = useTranslation("editor");
  const { t: brands } = useTranslation("brands");
  const { look } = theme;
  const { logoOnLight, logoOnDark, headlineFont, textFont } = assetIds;
  const logo = useFile(theme.isDark ? (logoOnDark ?? logoOnLight) : (logoOnLight ?? logoOnDark))?.thumbnail;
  // The engine also turns a logo that is not seen, colour by colour.
  const isTurned = !theme.isLogoSeen && !(theme.isDark && logoOnDark);
  const logoAddress = useBlobUrl(logo ?? null);
  const { display, regular } = look.type.fonts;
  const headline = useFont(useBlobUrl(useFile(headlineFont)?.bytes ?? null), display);
  const text = useFont(useBlobUrl(useFile(textFont ?? headlineFont)?.bytes ?? null), regular);
  const voice = look.type.voices.headline;
  return (
    <figure className="flex flex-col gap-2 self-start lg:sticky lg:top-0 lg:col-start-2 lg:row-span-6 lg:row-start-1">
      <div
        aria-hidden="true"
        className={`flex items-center gap-4 overflow-hidden rounded-lg border border-line p-4 lg:min-h-96 lg:flex-col lg:p-6 ${look.layout.align === "center" ? "lg:text-center" : "lg:items-start"}`}
        style={{ backgroundColor: hexOf(theme.surface), fontFamily: text }}
      >
        {logoAddress !== null && (
          <img
            src={logoAddress}
            alt=""
            className={`h-9 max-w-40 object-contain max-lg:hidden ${isTurned ? (theme.isDark ? "brightness-0 invert" : "brightness-0") : ""}`}
          />
        )}
        <p
          className="min-w-0 text-2xl font-bold max-lg:flex-1 max-lg:truncate max-lg:text-base lg:mt-auto lg:text-3xl lg:text-balance"
          style={{
            ...{ color: hexOf(theme.ink), fontFamily: headline, letterSpacing: `${voice.trackingEm}em` },
            textTransform: voice.case === "capitals" ? "uppercase" : "none",
          }}
        >
          {t("copy.example.headline")}
        </p>
        <p className="text-sm max-lg:hidden" style={{ color: hexOf(theme.quietInk) }}>
          {t("copy.example.subheadline")}
        </p>
        <p
          className={`py-1.5 text-sm font-semibold whitespace-nowrap ${SHAPES[look.button.shape]}`}
          style={{
            ...{ borderColor: hexOf(theme.button), color: hexOf(theme.buttonInk) },
            backgroundColor: theme.isButtonFilled ? hexOf(theme.button) : "transparent",
          }}
        >
          {t("copy.example.cta")}
        </p>
      </div>
      <figcaption className="text-xs text-quiet max-lg:hidden">{brands("sample")}</figcaption>
    </figure>
  );
}

const useFile = (assetId: string | undefined) =>
  useQuery({ ...brandFileQuery(useWorkspaceId(), assetId), select: ({ kept }) => kept }).data;

/** The family of an uploaded font, else of the look's own from the font library; undefined is the page's font. */
function useFont(uploaded: string | null, ofLook: string | null): string | undefined {
  const family = `brand${useId()}`;
  const address = uploaded ?? (ofLook && `/fonts/${ofLook}.ttf`);
  useEffect(() => {
    if (address === null) return;
    const face = new FontFace(family, `url("${address}")`, { weight: "1 1000" });
    document.fonts.add(face);
    return () => void document.fonts.delete(face);
  }, [address, family]);
  return address === null ? undefined : `"${family}"`;
}
