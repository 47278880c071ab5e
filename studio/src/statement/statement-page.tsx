import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useWorkspaceId } from "#app/workspace.ts";
import { Button, buttonStyle } from "#ui/button.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { Loading } from "#ui/page.tsx";
import { Select } from "#ui/select.tsx";
import { recentMonths } from "#usage/usage-span.ts";
import { StatementSheet, statementQuery, useMonthName } from "./statement-sheet.tsx";

/** Page with a month's statement. Controls are hidden when it is printed. */
export function StatementPage() {
  const { t } = useTranslation("statement");
  const workspaceId = useWorkspaceId();
  const navigate = useNavigate();
  const monthName = useMonthName();
  const recent = recentMonths(Date.now());
  const { month = recent[0] ?? "" } = useSearch({ from: "/w/$workspaceId/statement" });
  const { data, error, isPending } = useQuery(statementQuery(workspaceId, month));
  const months = recent.includes(month) ? recent : [month, ...recent];
  return (
    <div className="mx-auto flex w-full max-w-4xl flex-col gap-6 px-4 py-8 sm:px-8 print:max-w-none print:p-0">
      <title>{`${t("title", { month: monthName(month) })} · Creative Packs`}</title>
      <div className="flex flex-wrap items-end justify-between gap-3 print:hidden">
        <Select
          label={t("month")}
          value={month}
          options={months.map((value) => ({ value, text: monthName(value) }))}
          onChange={(chosen) => void navigate({ to: ".", search: { month: chosen }, replace: true })}
        />
        <div className="flex flex-wrap gap-2">
          <Link to="/w/$workspaceId/usage" params={{ workspaceId }} className={buttonStyle("quiet")}>
            {t("back")}
          </Link>
          <Button kind="primary" disabled={data === undefined} onClick={() => window.print()}>
            {t("print")}
          </Button>
        </div>
      </div>
      {isPending && <Loading />}
      <ErrorNote error={error} />
      {data !== undefined && <StatementSheet statement={data} />}
    </div>
  );
}
