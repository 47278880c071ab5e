import { useQuery } from "@tanstack/react-query";
import { LOOK_IDS } from "creative-packs-service/looks";
import type { Brand } from "creative-packs-service/renderer";
import { vividest } from "creative-packs-service/renderer/dominant-colours";
import { LOOKS, withButton } from "creative-packs-service/renderer/look";
import { toOklab } from "creative-packs-service/renderer/oklab";
import { parseHex, toHex } from "creative-packs-service/renderer/srgb";
import { chooseTheme } from "creative-packs-service/renderer/theme";
import { useEffect, useId } from "react";
import { useTranslation } from "react-i18next";
import { useWorkspaceId } from "#app/workspace.ts";
import type { FileColour } from "#editor/draft/draft.ts";
import { useBlobUrl } from "#ui/use-blob-url.ts";
import { type BrandForm, brandFileQuery } from "./brand-queries.ts";

/** Colours that the engine chooses for a pack with the brand's logo and no picture, by role. */
export function themeOfBrand({ colors, look, buttonStyle }: BrandForm, logoColours: readonly FileColour[]) {
  const logo = logoColours.map(({ colour, share }) => {
    const rgb = parseHex(colour);
    return { colour: rgb, lab: toOklab(rgb), share };
  });
  const style = withButton(LOOKS[look ?? LOOK_IDS[0]], buttonStyle ?? undefined);
  const sources = { family: "brand", look: style, brand: colors, hero: [], logo } as const;
  const theme = chooseTheme({ ...sources, logoVisibility: () => 1 });
  const own = vividest(logo, 0);
  const roles: Brand = {
    ...(own && { primaryColor: toHex(own.colour) }),
    ...{ backgroundColor: toHex(theme.surface), textColor: toHex(theme.ink) },
    ...{ buttonColor: toHex(theme.button), buttonTextColor: toHex(theme.buttonInk) },
    accentColor: toHex(theme.accentFill),
  };
  return { theme, style, roles };
}

const SHAPES = { pill: "rounded-full border px-4", soft: "rounded-md border px-4", square: "border px-4" };

type BrandSampleProps = Omit<ReturnType<typeof themeOfBrand>, "roles"> & Pick<BrandForm, "assetIds">;

/**
 * Sample of a brand: logo, text and button in its colours, fonts, look and button style. In a narrow window it is a
 * strip.
 */
export function BrandSample({ assetIds, theme, style: { type, button, layout } }: BrandSampleProps) {
  const { t } = useTranslation("editor");
  const { logoOnLight, logoOnDark, headlineFont, textFont } = assetIds;
  const logo = useAddress(
    theme.isDark ? (logoOnDark ?? logoOnLight) : (logoOnLight ?? logoOnDark),
    "thumbnail",
  );
  const fontFamily = useFont(useAddress(textFont ?? headlineFont, "bytes"), type.fonts.regular);
  const headline = useFont(useAddress(headlineFont, "bytes"), type.fonts.display);
  return (
    <figure className="flex flex-col gap-2 self-start lg:sticky lg:top-0 lg:col-start-2 lg:row-span-6 lg:row-start-1">
      <div
        aria-hidden="true"
        className={`items-center gap-x-4 gap-y-2 overflow-hidden rounded-lg border border-line p-4 max-lg:grid max-lg:grid-cols-[minmax(0,1fr)_auto] lg:flex lg:min-h-96 lg:flex-col lg:gap-4 lg:p-6 ${layout.align === "center" ? "lg:text-center" : "lg:items-start"}`}
        style={{ backgroundColor: toHex(theme.surface), fontFamily }}
      >
        {logo !== null && (
          // The sample recolours the whole logo. The engine recolours only the parts that would be invisible.
          <img
            src={logo}
            alt=""
            className={`h-6 max-w-40 object-contain lg:h-9 ${theme.isDark && !logoOnDark ? "brightness-0 invert" : ""}`}
          />
        )}
        <p
          className={`min-w-0 text-sm/5 font-bold max-lg:line-clamp-2 sm:text-base lg:mt-auto lg:text-3xl lg:text-balance ${type.voices.headline.case === "capitals" ? "uppercase" : ""}`}
          style={{ color: toHex(theme.ink), fontFamily: headline }}
        >
          {t("copy.example.headline")}
        </p>
        <p
          className={`py-1.5 text-sm font-semibold whitespace-nowrap max-lg:col-start-2 max-lg:row-span-2 max-lg:row-start-1 ${button.shape === "rule" ? "border-b" : SHAPES[button.shape]}`}
          style={{
            ...{ borderColor: toHex(theme.button), color: toHex(theme.buttonInk) },
            backgroundColor: theme.isButtonFilled ? toHex(theme.button) : "transparent",
          }}
        >
          {t("copy.example.cta")}
        </p>
      </div>
      <figcaption className="text-xs text-quiet max-lg:hidden">{t("style.sample")}</figcaption>
    </figure>
  );
}

function useAddress(assetId: string | undefined, part: "bytes" | "thumbnail"): string | null {
  const { data } = useQuery(brandFileQuery(useWorkspaceId(), assetId));
  return useBlobUrl((assetId && data?.kept[part]) || null);
}

/** Loads a font and returns its family: the uploaded font, or else that of the look. Undefined for the page's font. */
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
