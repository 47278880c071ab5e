import { useTranslation } from "react-i18next";

/** The payment provider's receipt, in a tab of its own. `of`: what it is for, told to screen readers. */
export function ReceiptLink({ url, of }: { readonly url: string; readonly of?: string }) {
  const { t } = useTranslation("billing");
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      aria-label={of === undefined ? undefined : t("receipts.linkOf", { of })}
      className="text-accent underline underline-offset-2"
    >
      {t("receipts.link")}
    </a>
  );
}
