import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useWorkspaceId } from "#app/workspace.ts";
import { Button } from "#ui/button.tsx";
import { saveAs } from "#ui/save-as.ts";
import { tellError } from "#ui/toast.ts";
import { CSV_HEAD, csvLine } from "./ledger-csv.ts";
import { wholeLedger } from "./ledger-query.ts";

/** Saves the whole ledger as a table. */
export function ExportButton() {
  const { t } = useTranslation("usage");
  const workspaceId = useWorkspaceId();
  const [count, setCount] = useState(0);
  const run = useMutation({
    mutationFn: async () => {
      const lines = [CSV_HEAD];
      for await (const event of wholeLedger(workspaceId)) {
        setCount(lines.push(csvLine(event)) - 1);
      }
      return new Blob(lines, { type: "text/csv" });
    },
    onMutate: () => setCount(0),
    onSuccess: (table) => saveAs(table, `ledger-${new Date().toISOString().slice(0, 10)}.csv`),
    onError: tellError,
  });
  return (
    <Button isBusy={run.isPending} onClick={() => run.mutate()}>
      {run.isPending ? t("csvBusy", { count }) : t("csv")}
    </Button>
  );
}
