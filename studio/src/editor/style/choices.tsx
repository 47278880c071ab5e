import { Check } from "lucide-react";
import { useId } from "react";
import { PictureCanvas } from "../grid/tile-card.tsx";
import type { Thumbnails } from "./use-thumbnails.ts";

interface Choice<Value extends string | number> {
  readonly value: Value;
  readonly text: string;
  readonly hint?: string;
  /** Of its thumbnail. */
  readonly id?: string;
}

interface ChoicesProps<Value extends string | number> {
  readonly label: string;
  readonly hint?: string;
  /** Null where none is chosen. */
  readonly value: Value | null;
  readonly options: readonly Choice<Value>[];
  readonly onChange: (value: Value) => void;
  /** Beside one another in one line. */
  readonly isRow?: boolean;
  /** By the options' ids, in place of hints; null and undefined for words alone. */
  readonly thumbnails?: Thumbnails;
}

/** One of a few, all in sight. */
export function Choices<Value extends string | number>(props: ChoicesProps<Value>) {
  const { label, hint, value, options, onChange, isRow = false, thumbnails = null } = props;
  const name = useId();
  const small = options.length > 5 ? "grid-cols-4" : "grid-cols-5";
  const words = isRow ? "auto-cols-fr grid-flow-col gap-1.5" : "grid-cols-2 gap-1.5";
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      {hint !== undefined && <p className="-mt-1.5 text-xs text-quiet">{hint}</p>}
      <div className={`grid ${thumbnails === null ? words : `gap-2 ${small}`}`}>
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
            {thumbnails !== null && <Thumbnail picture={thumbnails.get(option.id ?? "") ?? null} />}
            <span className="truncate font-medium">{option.text}</span>
            {thumbnails === null && option.hint !== undefined && (
              <span className="text-xs text-quiet">{option.hint}</span>
            )}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const CARD =
  "border border-line bg-card px-3 py-2 text-sm has-checked:border-accent has-checked:bg-accent-soft hover:border-strong-line";
const TILE = "gap-1 text-center text-[0.6875rem] text-quiet has-checked:text-ink";

const Thumbnail = ({ picture }: { readonly picture: ImageData | null }) => (
  <span
    aria-hidden="true"
    className="relative block aspect-[6/5] w-full rounded-md border border-line outline-accent group-hover:border-strong-line group-has-checked:outline-2 group-has-checked:outline-offset-1"
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
