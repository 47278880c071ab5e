import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, type ButtonProps } from "./button.tsx";
import { showToast } from "./toast.ts";

/** A secret that is shown once, with a copy button. */
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

const SHOWN_MS = 2_000;

interface CopyButtonProps extends Pick<ButtonProps, "kind"> {
  readonly text: string;
  /** Default: "Copy". */
  readonly label?: string;
}

/** Copies a text to the clipboard and confirms it. */
export function CopyButton({ text, label, kind = "secondary" }: CopyButtonProps) {
  const { t } = useTranslation();
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // The browser does not allow copying, or the page has no https and thus no clipboard.
      showToast(t("copyFailed"));
      return;
    }
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), SHOWN_MS);
  };
  return (
    <Button kind={kind} onClick={copy}>
      <span aria-live="polite">{isCopied ? t("copied") : (label ?? t("copy"))}</span>
    </Button>
  );
}
