import type { ReactNode } from "react";
import { CopyButton } from "./copy-button.tsx";

/** A secret that is shown this once, with a button to copy it. */
export function Secret({
  label,
  text,
  note,
}: {
  readonly label: string;
  readonly text: string;
  readonly note: ReactNode;
}) {
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm font-medium">{label}</p>
      <div className="flex items-start gap-2">
        <code className="flex-1 rounded-md bg-sunk px-3 py-2 font-mono text-xs break-all">{text}</code>
        <CopyButton text={text} />
      </div>
      <p className="text-xs text-quiet">{note}</p>
    </div>
  );
}
