import type { SavedBrand } from "creative-packs";
import type { Brand } from "creative-packs-service/renderer";
import { lazy, Suspense, useState } from "react";
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

/** Comes with the first colour that is opened. */
const ColourPicker = lazy(async () => ({ default: (await import("react-colorful")).HexColorPicker }));

interface ColourGridProps {
  readonly colours: Brand;
  /** Whose colours are used where there is none here. */
  readonly brand?: Pick<SavedBrand, "name" | "colors"> | null | undefined;
  readonly palette: readonly string[];
  readonly onChange: (role: ColourRole, colour: string | null) => void;
}

/** The six colours of a pack or a brand; each that is left open is the brand's, or chosen from the pictures. */
export function ColourGrid({ colours, brand, palette, onChange }: ColourGridProps) {
  const { t } = useTranslation("editor");
  const { t: brands } = useTranslation("brands");
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">{t("style.colours")}</legend>
      <p className="-mt-1.5 text-xs text-quiet">{t("style.coloursLead")}</p>
      <div className="grid grid-cols-2 gap-1.5">
        {ROLES.map((role) => {
          const taken = brand?.colors[role];
          return (
            <ColourButton
              key={role}
              role={t(`style.roles.${role}`)}
              colour={colours[role] ?? null}
              open={taken ?? null}
              openWords={taken ? brands("from", { name: brand?.name }) : t("style.automatic")}
              palette={palette}
              onChange={(colour) => onChange(role, colour)}
            />
          );
        })}
      </div>
    </fieldset>
  );
}

interface ColourButtonProps {
  /** What the colour is for. */
  readonly role: string;
  /** `#rrggbb`; null while it is left open. */
  readonly colour: string | null;
  /** What is used then, where it is known, and where it comes from. */
  readonly open: string | null;
  readonly openWords: string;
  readonly palette: readonly string[];
  readonly onChange: (colour: string | null) => void;
}

/** A colour of the brand, with a palette to choose from, any other colour, and none. */
function ColourButton({ role, colour, open, openWords, palette, onChange }: ColourButtonProps) {
  return (
    <Popover
      title={role}
      buttonStyle="flex items-center gap-2.5 rounded-md border border-line bg-card px-2.5 py-2 text-left hover:border-strong-line"
      text={
        <>
          <Swatch colour={colour ?? open} />
          <span className="flex min-w-0 flex-col">
            <span className="truncate text-xs font-medium">{role}</span>
            <span className="truncate text-xs text-quiet">{colour ?? openWords}</span>
          </span>
        </>
      }
    >
      {palette.length > 0 && <Palette chosen={colour} palette={palette} onChange={onChange} />}
      <ColourFields colour={colour ?? open} onChange={onChange} />
      <Button disabled={colour === null} onClick={() => onChange(null)}>
        {openWords}
      </Button>
    </Popover>
  );
}

/** A colour as a dot; a dashed ring for none. */
export function Swatch({ colour }: { readonly colour: string | null }) {
  return (
    <span
      aria-hidden="true"
      className={`size-6 shrink-0 rounded-full border ${colour === null ? "border-dashed border-strong-line" : "border-line"}`}
      style={colour === null ? {} : { backgroundColor: colour }}
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

function ColourFields({ colour, onChange }: Pick<ColourButtonProps, "colour" | "onChange">) {
  const { t } = useTranslation("editor");
  /** What is typed while it is not a colour yet. */
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
