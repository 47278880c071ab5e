import { useTranslation } from "react-i18next";
import { Mark } from "#ui/page.tsx";
import { MonthCredits } from "./month-credits.tsx";
import { MonthOrders } from "./month-orders.tsx";
import { MonthPayments } from "./month-payments.tsx";
import { type Statement, useMonthName } from "./statement-query.ts";

/** What is printed: whose month it is, what the credits did, what was ordered and what was paid. */
export function StatementSheet({ statement }: { readonly statement: Statement }) {
  const { t, i18n } = useTranslation("statement");
  const { t: common } = useTranslation();
  const monthName = useMonthName();
  const { workspaceId, workspaceName, month, isOver } = statement;
  const now = new Intl.DateTimeFormat(i18n.language, { dateStyle: "long", timeStyle: "short" });
  return (
    <article className="flex flex-col gap-8 rounded-lg border border-line bg-card p-6 sm:p-10 print:border-0 print:p-0">
      <header className="flex flex-wrap items-start justify-between gap-4">
        <div className="flex flex-col gap-1">
          <h1 className="text-2xl font-semibold tracking-tight">{t("title", { month: monthName(month) })}</h1>
          <p className="text-base">{workspaceName}</p>
          <p className="text-xs text-quiet">
            {t("workspace")} <span className="font-mono break-all">{workspaceId}</span>
          </p>
          {!isOver && <p className="text-sm">{t("notOver", { now: now.format(new Date()) })}</p>}
        </div>
        <p className="flex items-center gap-2 font-semibold tracking-tight">
          <Mark />
          {common("name")}
        </p>
      </header>
      <MonthCredits credits={statement.credits} isOver={isOver} />
      <MonthOrders statement={statement} />
      <MonthPayments statement={statement} />
      <footer className="text-xs text-quiet">{t("footer")}</footer>
    </article>
  );
}
