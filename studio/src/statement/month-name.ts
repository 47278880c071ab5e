import { useTranslation } from "react-i18next";

/** Names a month, given as `2026-11`, in the person's language. */
export function useMonthName(): (month: string) => string {
  const { i18n } = useTranslation();
  const format = new Intl.DateTimeFormat(i18n.language, { month: "long", year: "numeric", timeZone: "UTC" });
  return (month) => format.format(new Date(`${month}-01T00:00:00Z`));
}
