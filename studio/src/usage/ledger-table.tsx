import { useInfiniteQuery } from "@tanstack/react-query";
import type { LedgerEvent } from "creative-packs";
import { useTranslation } from "react-i18next";
import { useWorkspaceId } from "#app/workspace.ts";
import { EmptyState } from "#ui/empty-state.tsx";
import { ErrorNote } from "#ui/error-note.tsx";
import { Loading } from "#ui/loading.tsx";
import { Moment } from "#ui/moment.tsx";
import { MoreButton } from "#ui/more-button.tsx";
import { Table } from "#ui/table.tsx";
import { ExportButton } from "./export-button.tsx";
import { knownDescription } from "./known-description.ts";
import { ledgerQuery } from "./ledger-query.ts";

const COLUMNS = ["when", "what", "amount", "after"] as const;

/** Every change of what can be spent. */
export function LedgerTable() {
  const { t } = useTranslation("usage");
  const query = useInfiniteQuery(ledgerQuery(useWorkspaceId()));
  if (query.isPending) return <Loading />;
  const events = query.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <section className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <h2 className="text-lg font-semibold">{t("ledger")}</h2>
        <ExportButton />
      </div>
      <ErrorNote error={query.error} />
      {query.isSuccess && events.length === 0 && (
        <EmptyState title={t("empty.title")} text={t("empty.text")} />
      )}
      {events.length > 0 && (
        <Table
          label={t("ledger")}
          heads={COLUMNS.map((column) => t(`heads.${column}`))}
          overNumbers={[t("heads.amount"), t("heads.after")]}
        >
          {events.map((event) => (
            <LedgerRow key={event.eventId} event={event} />
          ))}
        </Table>
      )}
      <MoreButton query={query} />
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
