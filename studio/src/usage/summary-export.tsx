import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useWorkspaceId } from "#app/workspace.ts";
import { Button } from "#ui/button.tsx";
import { saveAs } from "#ui/save-as.ts";
import { tellError } from "#ui/toast.ts";
import { fetchSummaryTable } from "./summary-queries.ts";
import type { UsageSpan } from "./usage-span.ts";

/** Saves a span's usage by day, key and contract as a table. */
export function SummaryExport({ span }: { readonly span: UsageSpan }) {
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
