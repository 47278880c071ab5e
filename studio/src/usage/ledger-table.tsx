import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import type { LedgerEvent } from "creative-packs";
import { LEDGER_DESCRIPTIONS } from "creative-packs-service/ledger-descriptions";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { clientOf } from "#api/client.ts";
import { pagedQuery } from "#api/paged-query.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { Button } from "#ui/button.tsx";
import { Moment } from "#ui/moment.tsx";
import { EmptyState } from "#ui/page.tsx";
import { saveAs } from "#ui/save-as.ts";
import { PagedTable } from "#ui/table.tsx";
import { showErrorToast } from "#ui/toast.ts";
import { CSV_HEAD, csvLine } from "./ledger-csv.ts";

const COLUMNS = ["when", "what", "amount", "after"] as const;

/** Every change of the balance. */
export function LedgerTable() {
  const { t } = useTranslation("usage");
  return (
    <section className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <h2 className="text-lg font-semibold">{t("ledger")}</h2>
        <ExportButton />
      </div>
      <PagedTable
        query={useInfiniteQuery(ledgerQuery(useWorkspaceId()))}
        label={t("ledger")}
        heads={COLUMNS.map((column) => t(`heads.${column}`))}
        overNumbers={[t("heads.amount"), t("heads.after")]}
        empty={<EmptyState title={t("empty.title")} text={t("empty.text")} />}
        row={(event) => <LedgerRow key={event.eventId} event={event} />}
      />
    </section>
  );
}

function LedgerRow({ event }: { readonly event: LedgerEvent }) {
  const { t, i18n } = useTranslation("usage");
  const amounts = new Intl.NumberFormat(i18n.language, { signDisplay: "exceptZero" });
  const known = knownDescription(event.description);
  return (
    <tr>
      <td>
        <Moment at={event.createdAt} />
      </td>
      <td>
        {t(`type.${event.type}`)}
        <span className="block text-xs text-quiet">
          {known === null ? event.description : t(`description.${known}`)}
        </span>
      </td>
      <td className="text-right tabular-nums">
        {amounts.format(event.amount)}
        <span className="block text-xs text-quiet">{t(`source.${event.source}`)}</span>
      </td>
      <td className="text-right tabular-nums">{event.balanceAfter ?? "–"}</td>
    </tr>
  );
}

type KnownDescription = keyof typeof LEDGER_DESCRIPTIONS;

const isKnown = (name: string): name is KnownDescription => Object.hasOwn(LEDGER_DESCRIPTIONS, name);
const NAMES = Object.keys(LEDGER_DESCRIPTIONS).filter(isKnown);

/** Text key of a description from the service; null for a description that an operator wrote. */
const knownDescription = (text: string): KnownDescription | null =>
  NAMES.find((name) => LEDGER_DESCRIPTIONS[name] === text) ?? null;

function ExportButton() {
  const { t } = useTranslation("usage");
  const workspaceId = useWorkspaceId();
  const [count, setCount] = useState(0);
  const run = useMutation({
    mutationFn: async () => {
      const lines = [CSV_HEAD];
      const ledger = clientOf(workspaceId).usage.list({ limit: LARGEST_PAGE });
      for await (const event of ledger) setCount(lines.push(csvLine(event)) - 1);
      return new Blob(lines, { type: "text/csv" });
    },
    onMutate: () => setCount(0),
    onSuccess: (table) => saveAs(table, `ledger-${new Date().toISOString().slice(0, 10)}.csv`),
    onError: showErrorToast,
  });
  return (
    <Button isBusy={run.isPending} onClick={() => run.mutate()}>
      {run.isPending ? t("csvBusy", { count }) : t("csv")}
    </Button>
  );
}

const PAGE = 50;
const LARGEST_PAGE = 100;

const ledgerQuery = (workspaceId: string) =>
  pagedQuery(["workspace", workspaceId, "ledger"], (after) =>
    clientOf(workspaceId)
      .usage.list({ limit: PAGE, ...after })
      .firstPage(),
  );
