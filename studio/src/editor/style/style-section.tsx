import { COMPOSITIONS, LOOK_IDS, type LookId, VARIANTS } from "creative-packs-service/looks";
import type { Brand } from "creative-packs-service/renderer";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useDraftBrand } from "#brands/draft-brand.ts";
import type { ThumbnailDesign } from "#engine/types.ts";
import { useDraft, useEdit } from "../draft/editor-store.ts";
import { Section } from "../section.tsx";
import { BrandChoice } from "./brand-choice.tsx";
import { Choices } from "./choices.tsx";
import { ColourGrid } from "./colour-button.tsx";
import { colourNameOf, paletteOf } from "./palette.ts";
import { useThumbnails } from "./use-thumbnails.ts";

/** Design of the pack: look, layout, colours. */
export function StyleSection() {
  const { t } = useTranslation("editor");
  const saved = useDraftBrand();
  const look = useLook();
  const composition = useDraft((draft) => draft.composition ?? "auto");
  const hasColours = useDraft(({ brand }) => !isEmpty(brand));
  const summary = [
    ...(saved ? [saved.name] : []),
    t(`style.looks.${look}.name`),
    t(`style.compositions.${composition}`),
  ];
  return (
    <Section
      panel="style"
      title={t("style.title")}
      summary={[...summary, ...(hasColours ? [t("style.ownColours")] : [])].join(" · ")}
    >
      <BrandChoice />
      <DesignChoices />
      <Colours />
    </Section>
  );
}

/** The draft's look: its own, its brand's, or the first. */
function useLook(): LookId {
  const brand = useDraftBrand();
  return useDraft((draft) => draft.look) ?? brand?.look ?? LOOK_IDS[0];
}

const isEmpty = (brand: Brand): boolean => Object.values(brand).every((colour) => colour === undefined);

/** Maximum number of background colours from the files, offered besides the automatic one. */
const PALETTES_MAX = 4;
const AUTOMATIC = "auto";
const brandOf = (colour: string): Brand => (colour === AUTOMATIC ? {} : { backgroundColor: colour });

/** The palette that is chosen; null if other colours are set. */
const paletteOfBrand = ({ backgroundColor, ...others }: Brand): string | null =>
  isEmpty(others) ? (backgroundColor ?? AUTOMATIC) : null;

/** Looks, layouts, arrangements and palettes, each as a thumbnail of the pack. */
function DesignChoices() {
  const { t } = useTranslation("editor");
  const files = useDraft((draft) => draft.files);
  const palette = useDraft(({ brand }) => paletteOfBrand(brand));
  const edit = useEdit();
  const colours = useDraftBrand()?.colors;
  const palettes = useMemo(() => [AUTOMATIC, ...paletteOf(files).slice(0, PALETTES_MAX)], [files]);
  const designs = useMemo(
    () =>
      // Draw the current design last, so that the worker still has it for the next change of the grid.
      new Map<string, ThumbnailDesign>([
        ...LOOK_IDS.map((look) => [look, { look }] as const),
        ...palettes.map((id) => [`palette ${id}`, { brand: { ...colours, ...brandOf(id) } }] as const),
        ...COMPOSITIONS.map((composition) => [composition, { composition }] as const),
        ...VARIANTS.map((variant) => [String(variant), { variant }] as const),
      ]),
    [palettes, colours],
  );
  const { thumbnails, area } = useThumbnails(designs);
  return (
    <div ref={area} className="flex flex-col gap-5">
      <Choices
        label={t("style.look")}
        value={useLook()}
        thumbnails={thumbnails}
        options={LOOK_IDS.map((id) => ({
          value: id,
          id,
          text: t(`style.looks.${id}.name`),
          hint: t(`style.looks.${id}.text`),
        }))}
        onChange={(look) => edit((draft) => ({ ...draft, look }))}
      />
      <Choices
        label={t("style.composition")}
        hint={t("style.compositionHint")}
        value={useDraft((draft) => draft.composition ?? "auto")}
        thumbnails={thumbnails}
        options={COMPOSITIONS.map((id) => ({ value: id, id, text: t(`style.compositions.${id}`) }))}
        onChange={(composition) => edit((draft) => ({ ...draft, composition }))}
      />
      <Choices
        label={t("style.variant")}
        value={useDraft((draft) => draft.variant)}
        thumbnails={thumbnails}
        options={VARIANTS.map((count) => ({
          value: count,
          id: String(count),
          text: t(`style.variants.${count}`),
        }))}
        onChange={(variant) => edit((draft) => ({ ...draft, variant }))}
      />
      {palettes.length > 1 && (
        <Choices
          label={t("style.palette")}
          value={palette}
          thumbnails={thumbnails}
          options={palettes.map((id) => ({
            value: id,
            id: `palette ${id}`,
            text: id === AUTOMATIC ? t("style.automatic") : t(`style.names.${colourNameOf(id)}`),
            hint: id,
          }))}
          onChange={(chosen) => edit((draft) => ({ ...draft, brand: brandOf(chosen) }))}
        />
      )}
    </div>
  );
}

/** The pack's colours, and a palette from its files to choose from. */
function Colours() {
  const edit = useEdit();
  return (
    <ColourGrid
      colours={useDraft((draft) => draft.brand)}
      brand={useDraftBrand()}
      palette={paletteOf(useDraft((draft) => draft.files))}
      onChange={(role, colour) =>
        edit(
          (draft) => ({ ...draft, brand: { ...draft.brand, [role]: colour ?? undefined } }),
          `brand.${role}`,
        )
      }
    />
  );
}
