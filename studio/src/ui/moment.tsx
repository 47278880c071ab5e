import { useTranslation } from "react-i18next";

/** A time in the user's language and zone, with a machine-readable value. `at`: ISO 8601. */
export function Moment({ at, hasTime = true }: { readonly at: string; readonly hasTime?: boolean }) {
  const { i18n } = useTranslation();
  const format = new Intl.DateTimeFormat(i18n.language, {
    dateStyle: "medium",
    ...(hasTime ? { timeStyle: "short" } : {}),
  });
  return (
    <time dateTime={at} className="whitespace-nowrap">
      {format.format(new Date(at))}
    </time>
  );
}
