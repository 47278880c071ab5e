import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useWorkspaceId } from "#app/workspace.ts";
import { ErrorNote } from "#ui/form.tsx";
import { Card } from "#ui/page.tsx";
import { summaryQuery } from "./summary-queries.ts";
import { type DayOfUse, spentByDay, type UsageSpan } from "./usage-span.ts";

/** Credits spent on each day of a span: a bar chart, and a table of the figures. */
export function UsageChart({ span }: { readonly span: UsageSpan }) {
  const { t } = useTranslation("usage");
  const { data, error } = useQuery({
    ...summaryQuery(useWorkspaceId(), span, "day"),
    placeholderData: keepPreviousData,
  });
  if (data === undefined) return <ErrorNote error={error} />;
  const days = spentByDay(
    span,
    data.items.flatMap(({ day, ...sums }) => (day === null ? [] : [{ day, ...sums }])),
  );
  const isQuiet = days.every(({ spent, refunded }) => spent === 0 && refunded === 0);
  return (
    <Card title={t("chart.title")}>
      {isQuiet ? (
        <p className="text-sm text-quiet">{t("chart.none")}</p>
      ) : (
        <>
          <Bars days={days} />
          <details className="text-sm">
            <summary className="cursor-pointer text-quiet">{t("chart.figures")}</summary>
            <Figures days={days} />
          </details>
        </>
      )}
    </Card>
  );
}

/** With more bars than this, there is no gap between bars. */
const WIDE_DAYS_MAX = 31;

/** Height of the bar of a day without spending, so that the day is visible. */
const STUB = "2px";

function Bars({ days }: { readonly days: readonly DayOfUse[] }) {
  const { t } = useTranslation("usage");
  const dayName = useDayName();
  const most = Math.max(1, ...days.map(({ spent }) => spent));
  const [first, last] = [days[0], days.at(-1)];
  return (
    <div role="img" aria-label={t("chart.label", { most })} className="flex flex-col gap-1.5">
      <div
        className={`relative flex h-36 items-end border-b border-strong-line ${days.length > WIDE_DAYS_MAX ? "gap-px sm:gap-[3px]" : "gap-[3px] sm:gap-1.5"}`}
      >
        <span className="absolute bottom-[86%] left-0 text-xs leading-5 text-quiet tabular-nums">{most}</span>
        {days.map(({ date, spent }) => (
          <span
            key={date}
            title={t("chart.day", { date: dayName(date), spent })}
            style={{ height: spent === 0 ? STUB : `${(86 * spent) / most}%` }}
            className={`min-w-0 flex-1 rounded-t-sm ${spent === 0 ? "bg-line" : "bg-accent"}`}
          />
        ))}
      </div>
      <div className="flex justify-between text-xs text-quiet">
        <span>{first !== undefined && dayName(first.date)}</span>
        <span>{last !== undefined && dayName(last.date)}</span>
      </div>
    </div>
  );
}

/** Days with activity, newest first. */
function Figures({ days }: { readonly days: readonly DayOfUse[] }) {
  const { t } = useTranslation("usage");
  const dayName = useDayName();
  const used = days.filter(({ spent, refunded }) => spent > 0 || refunded > 0).reverse();
  return (
    <table className="mt-3 w-full max-w-md text-sm [&_td]:border-t [&_td]:border-line [&_td]:py-1.5 [&_th]:py-1.5 [&_th]:font-medium">
      <thead className="text-xs text-quiet">
        <tr>
          <th scope="col" className="text-left">
            {t("chart.date")}
          </th>
          <th scope="col" className="text-right">
            {t("chart.spent")}
          </th>
          <th scope="col" className="text-right">
            {t("chart.refunded")}
          </th>
        </tr>
      </thead>
      <tbody className="tabular-nums">
        {used.map(({ date, spent, refunded }) => (
          <tr key={date}>
            <td>{dayName(date)}</td>
            <td className="text-right">{spent}</td>
            <td className="text-right">{refunded}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Formats a day in UTC, because the ledger counts UTC days. */
function useDayName(): (date: string) => string {
  const { i18n } = useTranslation();
  const format = new Intl.DateTimeFormat(i18n.language, { day: "numeric", month: "short", timeZone: "UTC" });
  return (date) => format.format(new Date(date));
}
