import { useTranslation } from "react-i18next";

/** While a page or a part of one comes. */
export function Loading() {
  const { t } = useTranslation();
  return (
    <p role="status" className="p-8 text-center text-sm text-quiet">
      {t("loading")}
    </p>
  );
}
