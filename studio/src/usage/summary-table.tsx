import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useWorkspaceId } from "#app/workspace.ts";
import { useContractName } from "#editor/sizes/contract-queries.ts";
import { ErrorNote } from "#ui/form.tsx";
import { Table } from "#ui/table.tsx";
import { summaryQuery } from "./summary-queries.ts";
import type { UsageSpan } from "./usage-span.ts";

interface SummaryTableProps {
  readonly span: UsageSpan;
  readonly groupBy: "key" | "contract";
}

/** What was spent in a span by each key, or for each contract; the most first. */
export function SummaryTable({ span, groupBy }: SummaryTableProps) {
  const { t, i18n } = useTranslation("usage");
  const { data, error } = useQuery(summaryQuery(useWorkspaceId(), span, groupBy));
  const contractName = useContractName();
  const nameOf = (contractId: string | null): string =>
    contractId === null ? "–" : contractName(contractId, contractId);
  const keyNameOf = ({
    apiKeyId,
    apiKeyName,
  }: {
    readonly apiKeyId: string | null;
    readonly apiKeyName: string | null;
  }): string => (apiKeyId === null ? t("summary.noKey") : (apiKeyName ?? t("summary.deletedKey")));
  const numbers = new Intl.NumberFormat(i18n.language);
  if (data === undefined) return <ErrorNote error={error} />;
  const rows = [...data.items].sort((a, b) => b.consumed - a.consumed);
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
              <td>{groupBy === "key" ? keyNameOf(row) : nameOf(row.contractId)}</td>
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
