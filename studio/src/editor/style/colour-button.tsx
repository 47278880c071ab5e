import type { SavedBrand } from "creative-packs";
import type { Brand, HexColour } from "creative-packs-service/renderer";
import { contrast, parseHex } from "creative-packs-service/renderer/srgb";
import { Sparkles } from "lucide-react";
import { lazy, Suspense, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button.tsx";
import { Popover } from "#ui/popover.tsx";
import { TextField } from "#ui/text-field.tsx";

const ROLES = [
  "primaryColor",
  "backgroundColor",
  "textColor",
  "accentColor",
  "buttonColor",
  "buttonTextColor",
] as const satisfies readonly (keyof Brand)[];
type ColourRole = (typeof ROLES)[number];

/** Minimum contrast of text on its background (WCAG 1.4.3). */
const CONTRAST_MIN = 4.5;

const isFaint = (text: HexColour | undefined, ground: HexColour | undefined): boolean =>
  text !== undefined && ground !== undefined && contrast(parseHex(text), parseHex(ground)) < CONTRAST_MIN;

/** Loaded when the picker is first opened. */
const ColourPicker = lazy(async () => ({ default: (await import("react-colorful")).HexColorPicker }));

interface ColourGridProps {
  /** Chosen colours, as `#rrggbb`. */
  readonly colours: Brand;
  /** Brand whose colours apply if no colour is chosen here. */
  readonly brand?: Pick<SavedBrand, "name" | "colors"> | null | undefined;
  readonly palette: readonly string[];
  /** Known colours that apply if neither a colour is chosen nor the brand has one. */
  readonly automatic?: Brand;
  /** Null clears the colour. */
  readonly onChange: (role: ColourRole, colour: string | null) => void;
}

/** The six colours of a pack or brand. A colour without a value comes from the brand or the pictures. */
export function ColourGrid({ colours, brand, palette, automatic = {}, onChange }: ColourGridProps) {
  const { t } = useTranslation("editor");
  const { t: brands } = useTranslation("brands");
  const shown = { ...brand?.colors, ...colours };
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 text-sm font-medium">{t("style.colours")}</legend>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(6.25rem,1fr))] gap-2">
        {ROLES.map((role) => {
          const own = colours[role] ?? null;
          const taken = brand?.colors[role] ?? null;
          const open = taken === null ? t("style.automatic") : brands("from", { name: brand?.name });
          const choose = (colour: string | null): void => onChange(role, colour);
          return (
            <Popover
              key={role}
              title={t(`style.roles.${role}`)}
              buttonStyle="flex min-w-0 flex-col gap-2 rounded-md border border-line bg-card p-2 text-left hover:border-strong-line"
              text={
                <>
                  <Swatch colour={own ?? taken} automatic={automatic[role] ?? null} />
                  <span className="flex w-full min-w-0 flex-col">
                    <span className="text-xs font-medium wrap-anywhere">{t(`style.roles.${role}`)}</span>
                    <span className="truncate text-xs text-quiet">
                      {own === null && taken === null && (
                        <Sparkles className="mr-0.5 mb-0.5 -ml-0.5 inline size-2.5" />
                      )}
                      {own ?? open}
                    </span>
                  </span>
                </>
              }
            >
              {palette.length > 0 && <Palette chosen={own} palette={palette} onChange={choose} />}
              <ColourFields colour={own ?? taken} onChange={choose} />
              <Button disabled={own === null} onClick={() => choose(null)}>
                {taken === null ? t("style.takeBack") : brands("use", { name: brand?.name })}
              </Button>
            </Popover>
          );
        })}
      </div>
      <p className="text-xs text-quiet">{t("style.coloursLead")}</p>
      {(isFaint(shown.textColor, shown.backgroundColor) ||
        isFaint(shown.buttonTextColor, shown.buttonColor)) && (
        <p role="status" className="text-xs text-amber">
          {t("style.faint")}
        </p>
      )}
    </fieldset>
  );
}

/** Bar in a colour; without a value, in the automatic colour if it is known. */
export function Swatch({
  colour,
  automatic = null,
}: Record<"colour", string | null> & { readonly automatic?: string | null }) {
  const backgroundColor = colour ?? automatic ?? undefined;
  return (
    <span
      aria-hidden="true"
      className="h-7 w-full min-w-7 shrink-0 rounded bg-sunk inset-ring inset-ring-ink/12"
      style={{ backgroundColor }}
    />
  );
}

interface PaletteProps {
  readonly chosen: string | null;
  readonly palette: readonly string[];
  readonly onChange: (colour: string) => void;
}

function Palette({ chosen, palette, onChange }: PaletteProps) {
  const { t } = useTranslation("editor");
  return (
    <div className="flex flex-col gap-1.5">
      <p className="text-xs text-quiet">{t("style.fromFiles")}</p>
      <div className="flex flex-wrap gap-1.5">
        {palette.map((colour) => (
          <button
            key={colour}
            type="button"
            aria-label={colour}
            aria-pressed={colour === chosen}
            onClick={() => onChange(colour)}
            style={{ backgroundColor: colour }}
            className="size-8 rounded-md border border-line aria-pressed:outline-2 aria-pressed:outline-offset-1 aria-pressed:outline-ink"
          />
        ))}
      </div>
    </div>
  );
}

const HEX = /^#?([0-9a-f]{6})$/i;
const FIRST_COLOUR = "#17623b";

/** Labels the sliders in the page's language; the library's labels are English. */
function SliderNames() {
  const { t } = useTranslation("editor");
  const mark = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const sliders = mark.current?.parentElement?.querySelectorAll("[role=slider]") ?? [];
    const names = [t("style.saturation"), t("style.hue")];
    for (const [at, slider] of [...sliders].entries()) slider.setAttribute("aria-label", names[at] ?? "");
  }, [t]);
  return <i ref={mark} hidden />;
}

interface ColourFieldsProps {
  readonly colour: string | null;
  readonly onChange: (colour: string) => void;
}

function ColourFields({ colour, onChange }: ColourFieldsProps) {
  const { t } = useTranslation("editor");
  /** The typed text as long as it is not a valid colour; otherwise null. */
  const [typed, setTyped] = useState<string | null>(null);
  const type = (text: string): void => {
    const digits = HEX.exec(text.trim())?.[1];
    setTyped(digits === undefined ? text : null);
    if (digits !== undefined) onChange(`#${digits.toLowerCase()}`);
  };
  return (
    <>
      <div className="h-44 [&>*]:size-full!">
        <Suspense fallback={null}>
          <ColourPicker color={colour ?? FIRST_COLOUR} onChange={onChange} />
          <SliderNames />
        </Suspense>
      </div>
      <TextField
        label={t("style.colourCode")}
        value={typed ?? colour ?? ""}
        placeholder={FIRST_COLOUR}
        maxLength={9}
        spellCheck={false}
        autoComplete="off"
        fault={typed !== null && typed.length >= 7 ? t("style.badCode") : null}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        onBlur={() => setTyped(null)}
      />
    </>
  );
}
