import { useId } from "react";
import { inputStyle } from "./text-field.tsx";

interface TextAreaProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly maxLength?: number | undefined;
}

/** A labelled field of several lines. */
export function TextArea({ label, value, onChange, maxLength }: TextAreaProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <textarea
        id={id}
        value={value}
        rows={4}
        maxLength={maxLength}
        onChange={(event) => onChange(event.currentTarget.value)}
        className={inputStyle}
      />
    </div>
  );
}
