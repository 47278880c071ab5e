import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useWorkspaceId } from "#app/workspace.ts";
import { Button, buttonStyle } from "#ui/button.tsx";
import { Page } from "#ui/page.tsx";
import { saveAs } from "#ui/save-as.ts";
import { Select } from "#ui/select.tsx";
import { tellError } from "#ui/toast.ts";
import { BalanceCard } from "./balance-card.tsx";
import { LedgerTable } from "./ledger-table.tsx";
import { fetchSummaryTable } from "./summary-queries.ts";
import { SummaryTable } from "./summary-table.tsx";
import { UsageChart } from "./usage-chart.tsx";
import { SPANS, type SpanName, spanOf, type UsageSpan } from "./usage-span.ts";

/** What can be spent, and where it went: by day, key and contract, and entry by entry. */
export function UsagePage() {
  const { t } = useTranslation("usage");
  const workspaceId = useWorkspaceId();
  const [name, setName] = useState<SpanName>("last30");
  const span = spanOf(name, Date.now());
  return (
    <Page
      title={t("title")}
      lead={t("lead")}
      actions={
        <Link to="/w/$workspaceId/statement" params={{ workspaceId }} className={buttonStyle("secondary")}>
          {t("toStatement")}
        </Link>
      }
    >
      <BalanceCard />
      <div className="flex flex-wrap items-end justify-between gap-3">
        <Select
          label={t("span.label")}
          value={name}
          options={SPANS.map((value) => ({ value, text: t(`span.${value}`) }))}
          onChange={setName}
        />
        <SummaryExport span={span} />
      </div>
      <UsageChart span={span} />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <SummaryTable span={span} groupBy="key" />
        <SummaryTable span={span} groupBy="contract" />
      </div>
      <LedgerTable />
    </Page>
  );
}

/** Saves a span's usage by day, key and contract as a table. */
function SummaryExport({ span }: { readonly span: UsageSpan }) {
  const { t } = useTranslation("usage");
  const workspaceId = useWorkspaceId();
  const run = useMutation({
    mutationFn: () => fetchSummaryTable(workspaceId, span),
    onSuccess: (table) => saveAs(table, `usage-${span.from}-${span.to}.csv`),
    onError: tellError,
  });
  return (
    <Button isBusy={run.isPending} onClick={() => run.mutate()}>
      {t("summary.csv")}
    </Button>
  );
}
