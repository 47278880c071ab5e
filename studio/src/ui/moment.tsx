import { useTranslation } from "react-i18next";

/** A moment in the person's language and zone, the exact one for programs. `at`: ISO 8601. */
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
