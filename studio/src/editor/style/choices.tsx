import { useId } from "react";

interface Choice<Value extends string | number> {
  readonly value: Value;
  readonly text: string;
  readonly hint?: string;
}

interface ChoicesProps<Value extends string | number> {
  readonly label: string;
  readonly hint?: string;
  readonly value: Value;
  readonly options: readonly Choice<Value>[];
  readonly onChange: (value: Value) => void;
  /** Beside one another in one line. */
  readonly isRow?: boolean;
}

/** One of a few, all in sight. */
export function Choices<Value extends string | number>(props: ChoicesProps<Value>) {
  const { label, hint, value, options, onChange, isRow = false } = props;
  const name = useId();
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      {hint !== undefined && <p className="-mt-1.5 text-xs text-quiet">{hint}</p>}
      <div className={isRow ? "grid auto-cols-fr grid-flow-col gap-1.5" : "grid grid-cols-2 gap-1.5"}>
        {options.map((option) => (
          <label
            key={option.value}
            className="relative flex cursor-pointer flex-col rounded-md border border-line bg-card px-3 py-2 text-sm has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent hover:border-strong-line"
          >
            <input
              type="radio"
              name={name}
              className="absolute size-px opacity-0"
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span className="font-medium">{option.text}</span>
            {option.hint !== undefined && <span className="text-xs text-quiet">{option.hint}</span>}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
