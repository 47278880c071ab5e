import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button.tsx";
import { Popover } from "#ui/popover.tsx";
import { TextField } from "#ui/text-field.tsx";

interface ColourButtonProps {
  /** What the colour is for. */
  readonly role: string;
  /** `#rrggbb`; null while it is chosen by itself. */
  readonly colour: string | null;
  readonly palette: readonly string[];
  readonly onChange: (colour: string | null) => void;
}

/** A colour of the brand, with a palette to choose from, any other colour, and none. */
export function ColourButton({ role, colour, palette, onChange }: ColourButtonProps) {
  const { t } = useTranslation("editor");
  const shown = colour ?? t("style.automatic");
  return (
    <Popover
      title={role}
      buttonStyle="flex items-center gap-2.5 rounded-md border border-line bg-card px-2.5 py-2 text-left hover:border-strong-line"
      text={
        <>
          <Swatch colour={colour} />
          <span className="flex min-w-0 flex-col">
            <span className="truncate text-xs font-medium">{role}</span>
            <span className="truncate text-xs text-quiet">{shown}</span>
          </span>
        </>
      }
    >
      {palette.length > 0 && <Palette chosen={colour} palette={palette} onChange={onChange} />}
      <ColourFields colour={colour} onChange={onChange} />
      <Button disabled={colour === null} onClick={() => onChange(null)}>
        {t("style.takeBack")}
      </Button>
    </Popover>
  );
}

function Swatch({ colour }: { readonly colour: string | null }) {
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
    <div className="flex items-start gap-2">
      <label className="flex flex-col gap-1 text-sm font-medium">
        <span className="sr-only">{t("style.ownColour")}</span>
        <input
          type="color"
          value={colour ?? "#17623b"}
          onChange={({ currentTarget }) => onChange(currentTarget.value.toLowerCase())}
          className="mt-6 h-9 w-11 cursor-pointer rounded-md border border-strong-line bg-card p-0.5"
        />
      </label>
      <TextField
        label={t("style.colourCode")}
        value={typed ?? colour ?? ""}
        placeholder="#17623b"
        maxLength={9}
        spellCheck={false}
        autoComplete="off"
        fault={typed !== null && typed.length >= 7 ? t("style.badCode") : null}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        onBlur={() => setTyped(null)}
      />
    </div>
  );
}
