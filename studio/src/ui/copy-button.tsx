import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./button.tsx";
import { tell } from "./toast.ts";

const SHOWN_MS = 2_000;

/** Copies a text to the clipboard and says so. */
export function CopyButton({ text }: { readonly text: string }) {
  const { t } = useTranslation();
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Not allowed here, or on a page without encryption, where there is no clipboard at all.
      tell(t("copyFailed"));
      return;
    }
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), SHOWN_MS);
  };
  return (
    <Button onClick={copy}>
      <span aria-live="polite">{isCopied ? t("copied") : t("copy")}</span>
    </Button>
  );
}
