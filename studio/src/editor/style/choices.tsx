import { Check } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { PictureCanvas } from "../grid/tile-card.tsx";
import type { Thumbnails } from "./use-thumbnails.ts";

interface Choice<Value extends string | number> {
  readonly value: Value;
  readonly text: string;
  readonly hint?: string;
  /** Id of its thumbnail. */
  readonly id?: string;
}

interface ChoicesProps<Value extends string | number> {
  readonly label: string;
  readonly hint?: string;
  /** Null if none is chosen. */
  readonly value: Value | null;
  readonly options: readonly Choice<Value>[];
  readonly onChange: (value: Value) => void;
  /** Thumbnails by option id, shown instead of hints. Null or undefined: text only. */
  readonly thumbnails?: Thumbnails;
}

/** Radio buttons of a few visible options. */
export function Choices<Value extends string | number>(props: ChoicesProps<Value>) {
  const { label, hint, value, options, onChange, thumbnails = null } = props;
  const name = useId();
  const { t } = useTranslation("editor");
  const pictureOf = ({ id = "" }: Choice<Value>): ImageData | null => thumbnails?.get(id) ?? null;
  /** An earlier option whose thumbnail is identical, although other sizes of the pack may differ. */
  const twinOf = (option: Choice<Value>): Choice<Value> | undefined =>
    options
      .slice(0, options.indexOf(option))
      .find((other) => isSamePicture(pictureOf(other), pictureOf(option)));
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      {hint !== undefined && <p className="-mt-1.5 text-xs text-quiet">{hint}</p>}
      <div
        className={`grid ${thumbnails === null ? "grid-cols-2 gap-1.5" : "grid-cols-3 gap-x-2.5 gap-y-3"}`}
      >
        {options.map((option) => (
          <label
            key={option.value}
            title={thumbnails === null ? undefined : option.hint}
            className={`group relative flex min-w-0 cursor-pointer flex-col rounded-md has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent ${thumbnails === null ? CARD : TILE}`}
          >
            <input
              type="radio"
              name={name}
              className="absolute size-px opacity-0"
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {thumbnails !== null && <Thumbnail picture={pictureOf(option)} />}
            <span className="truncate font-medium first-letter:uppercase">{option.text}</span>
            {twinOf(option) !== undefined && (
              <span className="truncate">{t("style.same", { name: twinOf(option)?.text })}</span>
            )}
            {thumbnails === null && option.hint !== undefined && (
              <span className="text-xs text-quiet">{option.hint}</span>
            )}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const isSamePicture = (one: ImageData | null, other: ImageData | null): boolean =>
  one !== null && other !== null && one.data.every((value, at) => value === other.data[at]);

const CARD =
  "border border-line bg-card px-3 py-2 text-sm has-checked:border-accent has-checked:bg-accent-soft hover:border-strong-line";
const TILE = "gap-1 text-center text-xs text-quiet has-checked:text-ink";

const Thumbnail = ({ picture }: { readonly picture: ImageData | null }) => (
  <span
    aria-hidden="true"
    className="relative block aspect-square w-full rounded-md border border-line outline-accent group-hover:border-strong-line group-has-checked:outline-2 group-has-checked:outline-offset-1"
  >
    <span className="absolute inset-0 overflow-hidden rounded-[inherit]">
      {picture === null ? (
        <span data-skeleton className="block size-full rounded bg-sunk" />
      ) : (
        <PictureCanvas picture={picture} alt="" />
      )}
    </span>
    <Check className="absolute -top-1.5 -right-1.5 hidden size-4 rounded-full bg-accent p-0.5 text-on-accent group-has-checked:block" />
  </span>
);
