import { useTranslation } from "react-i18next";
import { Page } from "../ui/page.tsx";
import { BalanceCard } from "./balance-card.tsx";
import { ExportButton } from "./export-button.tsx";
import { LedgerTable } from "./ledger-table.tsx";
import { UsageChart } from "./usage-chart.tsx";

/** What can be spent, and where it went. */
export function UsagePage() {
  const { t } = useTranslation("usage");
  return (
    <Page title={t("title")} lead={t("lead")} actions={<ExportButton />}>
      <BalanceCard />
      <UsageChart />
      <LedgerTable />
    </Page>
  );
}
