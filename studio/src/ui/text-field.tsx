import { Field } from "@base-ui/react/field";
import type { ComponentProps, ReactNode } from "react";

/** Classes of an input. The text has 16 px on a phone, because iOS zooms into fields with smaller text. */
export const inputStyle =
  "w-full min-h-9 max-sm:min-h-11 pointer-coarse:min-h-11 rounded-md border border-strong-line bg-card px-3 py-1.5 text-sm max-sm:text-base text-ink placeholder:text-quiet/85 data-[invalid]:border-red";

export type TextFieldProps = Omit<ComponentProps<typeof Field.Control>, "className"> & {
  readonly label: string;
  readonly hint?: ReactNode;
  /** Error text; null or undefined if there is no error. */
  readonly fault?: string | null | undefined;
  /** Shown at the end of the label's line, such as a counter. */
  readonly aside?: ReactNode;
};

/** A labelled text field with hint and error. */
export function TextField({ label, hint, fault, aside, ...rest }: TextFieldProps) {
  const isWrong = fault !== null && fault !== undefined;
  return (
    <Field.Root invalid={isWrong} className="flex flex-col gap-2">
      <div className="flex items-baseline justify-between gap-2">
        <Field.Label className="text-sm font-medium">{label}</Field.Label>
        {aside}
      </div>
      <Field.Control {...rest} className={inputStyle} />
      {hint !== undefined && <Field.Description className="text-xs text-quiet">{hint}</Field.Description>}
      {isWrong && (
        <Field.Error match className="text-xs text-red">
          {fault}
        </Field.Error>
      )}
    </Field.Root>
  );
}

interface TextAreaProps extends Pick<TextFieldProps, "label" | "maxLength" | "placeholder"> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Initial number of lines; grows with its text in browsers that support it. */
  readonly rows?: number;
}

/** A labelled text field of several lines. */
export const TextArea = ({ onChange, rows = 3, ...rest }: TextAreaProps) => (
  <TextField
    {...rest}
    render={
      <textarea
        rows={rows}
        className="field-sizing-content supports-[field-sizing:content]:resize-none"
        style={{ minHeight: `${rows * 1.25 + 1}rem` }}
      />
    }
    onValueChange={onChange}
  />
);
