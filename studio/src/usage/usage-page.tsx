import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useWorkspaceId } from "#app/workspace.ts";
import { useContractName } from "#editor/sizes/contract-queries.ts";
import { Button, buttonStyle } from "#ui/button.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { Page } from "#ui/page.tsx";
import { saveAs } from "#ui/save-as.ts";
import { Select } from "#ui/select.tsx";
import { Table } from "#ui/table.tsx";
import { showErrorToast } from "#ui/toast.ts";
import { BalanceCard } from "./balance-card.tsx";
import { LedgerTable } from "./ledger-table.tsx";
import { fetchSummaryTable, summaryQuery } from "./summary-queries.ts";
import { UsageChart } from "./usage-chart.tsx";
import { SPANS, type SpanName, spanOf, type UsageSpan } from "./usage-span.ts";

/** Balance and spending: by day, key and contract, and entry by entry. */
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

/** Saves a span's usage by day, key and contract as CSV. */
function SummaryExport({ span }: { readonly span: UsageSpan }) {
  const { t } = useTranslation("usage");
  const workspaceId = useWorkspaceId();
  const run = useMutation({
    mutationFn: () => fetchSummaryTable(workspaceId, span),
    onSuccess: (table) => saveAs(table, `usage-${span.from}-${span.to}.csv`),
    onError: showErrorToast,
  });
  return (
    <Button isBusy={run.isPending} onClick={() => run.mutate()}>
      {t("summary.csv")}
    </Button>
  );
}

interface SummaryTableProps {
  readonly span: UsageSpan;
  readonly groupBy: "key" | "contract";
}

/** Spending in a span by key or by contract, largest first. */
function SummaryTable({ span, groupBy }: SummaryTableProps) {
  const { t, i18n } = useTranslation("usage");
  const { data, error } = useQuery(summaryQuery(useWorkspaceId(), span, groupBy));
  const contractName = useContractName();
  const numbers = new Intl.NumberFormat(i18n.language);
  if (data === undefined) return <ErrorNote error={error} />;
  const rows = [...data.items].sort((a, b) => b.consumed - a.consumed);
  const nameOf = ({ apiKeyId, apiKeyName, contractId }: (typeof rows)[number]): string => {
    if (groupBy === "contract") return contractId === null ? "–" : contractName(contractId);
    return apiKeyId === null ? t("summary.noKey") : (apiKeyName ?? t("summary.deletedKey"));
  };
  return (
    <section className="flex min-w-0 flex-col gap-3">
      <h2 className="text-lg font-semibold">{t(`summary.${groupBy}.title`)}</h2>
      {rows.length === 0 ? (
        <p className="text-sm text-quiet">{t("summary.none")}</p>
      ) : (
        <Table
          label={t(`summary.${groupBy}.title`)}
          heads={[t(`summary.${groupBy}.head`), t("summary.packs"), t("chart.spent"), t("chart.refunded")]}
          overNumbers={[t("summary.packs"), t("chart.spent"), t("chart.refunded")]}
        >
          {rows.map((row) => (
            <tr key={(groupBy === "key" ? row.apiKeyId : row.contractId) ?? ""}>
              <td>{nameOf(row)}</td>
              <td className="text-right tabular-nums">{numbers.format(row.jobs)}</td>
              <td className="text-right tabular-nums">{numbers.format(row.consumed)}</td>
              <td className="text-right tabular-nums">{numbers.format(row.refunded)}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}
