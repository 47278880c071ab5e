import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import type { AuditEvent } from "creative-packs";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { fetchTable } from "#api/fetch-table.ts";
import { pagedQuery } from "#api/paged-query.ts";
import { useIsOwner, useWorkspaceId } from "#app/workspace.ts";
import { Button } from "#ui/button.tsx";
import { Moment } from "#ui/moment.tsx";
import { EmptyState, Page } from "#ui/page.tsx";
import { saveAs } from "#ui/save-as.ts";
import { PagedTable } from "#ui/table.tsx";
import { showErrorToast } from "#ui/toast.ts";

const COLUMNS = ["when", "what", "who"] as const;
const PAGE = 50;
const LARGEST_PAGE = 100;

const auditQuery = (workspaceId: string) =>
  pagedQuery(["workspace", workspaceId, "audit"], (after, signal) =>
    callAccount("listWorkspaceAudit", { path: { workspaceId }, query: { limit: PAGE, ...after }, signal }),
  );

/** The workspace's audit log, for owners. */
export function AuditPage() {
  const { t } = useTranslation("audit");
  const isOwner = useIsOwner();
  return (
    <Page title={t("title")} lead={t("lead")} actions={isOwner && <Export />}>
      {isOwner ? <AuditTable /> : <p className="text-sm">{t("ownersOnly")}</p>}
    </Page>
  );
}

function AuditTable() {
  const { t } = useTranslation("audit");
  return (
    <PagedTable
      query={useInfiniteQuery(auditQuery(useWorkspaceId()))}
      label={t("title")}
      heads={COLUMNS.map((column) => t(`heads.${column}`))}
      empty={<EmptyState title={t("empty.title")} text={t("empty.text")} />}
      row={(event) => <AuditRow key={event.eventId} event={event} />}
    />
  );
}

function AuditRow({
  event: { type, createdAt, actor, subject, credits, detail },
}: {
  readonly event: AuditEvent;
}) {
  const { t, i18n } = useTranslation("audit");
  const amount =
    credits === null ? null : new Intl.NumberFormat(i18n.language, { signDisplay: "always" }).format(credits);
  const more = [subject.name, amount, detail].filter((part) => part !== null && part !== "");
  return (
    <tr>
      <td>
        <Moment at={createdAt} />
      </td>
      <td>
        {t(`type.${type}`, { defaultValue: type })}
        <span className="block text-xs break-words text-quiet">{more.join(" · ")}</span>
      </td>
      <td>
        {actor.name ?? t(`actor.${actor.kind}`)}
        <span className="block text-xs text-quiet">
          {actor.email ?? (actor.name === null ? null : t(`actor.${actor.kind}`))}
        </span>
      </td>
    </tr>
  );
}

/** Saves the whole log as CSV. */
function Export() {
  const { t } = useTranslation("audit");
  const workspaceId = useWorkspaceId();
  const run = useMutation({
    mutationFn: () => fetchTable(workspaceId, `/api/v1/audit?format=csv&limit=${LARGEST_PAGE}`),
    onSuccess: (table) => saveAs(table, `audit-${new Date().toISOString().slice(0, 10)}.csv`),
    onError: showErrorToast,
  });
  return (
    <Button isBusy={run.isPending} onClick={() => run.mutate()}>
      {t("csv")}
    </Button>
  );
}
