import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useIsOwner, useWorkspaceId } from "#app/workspace.ts";
import { Badge } from "#ui/badge.tsx";
import { Button, buttonStyle } from "#ui/button.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { Moment } from "#ui/moment.tsx";
import { MoreButton } from "#ui/more-button.tsx";
import { EmptyState, Loading, Page } from "#ui/page.tsx";
import { PackCard } from "./pack-card.tsx";
import { PackFilterBar } from "./pack-filter.tsx";
import { jobsUnderWayQuery, type PackFilter, packsQuery } from "./pack-queries.ts";

const EVERYTHING: PackFilter = { search: "", motion: "all" };

/** The workspace's packs, newest first, to be searched, and what is being made. */
export function PacksPage() {
  const { t } = useTranslation("packs");
  const workspaceId = useWorkspaceId();
  const isOwner = useIsOwner();
  const [filter, setFilter] = useState(EVERYTHING);
  const query = useInfiniteQuery(packsQuery(workspaceId, filter));
  const packs = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const isFiltered = filter.search !== "" || filter.motion !== "all";
  const isEmpty = query.isSuccess && !query.isPlaceholderData && packs.length === 0 && !query.hasNextPage;
  const create = isOwner && (
    <Link to="/w/$workspaceId/create" params={{ workspaceId }} className={buttonStyle("primary")}>
      {t("new")}
    </Link>
  );
  return (
    <Page title={t("title")} lead={t("lead")} actions={create}>
      <JobsUnderWay />
      {(packs.length > 0 || isFiltered) && <PackFilterBar filter={filter} onChange={setFilter} />}
      {query.isPending && <Loading />}
      <ErrorNote error={query.error} />
      {isEmpty && !isFiltered && (
        <EmptyState title={t("empty.title")} text={t("empty.text")} action={create} />
      )}
      {isEmpty && isFiltered && (
        <EmptyState
          title={t("none.title")}
          text={t("none.text")}
          action={<Button onClick={() => setFilter(EVERYTHING)}>{t("none.clear")}</Button>}
        />
      )}
      <ul
        aria-busy={query.isPlaceholderData}
        className={`grid gap-5 sm:grid-cols-2 lg:grid-cols-3 ${query.isPlaceholderData ? "opacity-60" : ""}`}
      >
        {packs.map((pack) => (
          <li key={pack.artifactId}>
            <PackCard pack={pack} />
          </li>
        ))}
      </ul>
      <MoreButton query={query} />
    </Page>
  );
}

/** Orders that are being drawn, and the newest that failed; nothing where there are none. */
function JobsUnderWay() {
  const { t } = useTranslation("packs");
  const workspaceId = useWorkspaceId();
  const isOwner = useIsOwner();
  const { data: jobs = [] } = useQuery(jobsUnderWayQuery(workspaceId));
  if (jobs.length === 0) return null;
  return (
    <section aria-labelledby="under-way" className="flex flex-col gap-2">
      <h2 id="under-way" className="text-base font-semibold">
        {t("under.title")}
      </h2>
      <ul className="divide-y divide-line rounded-lg border border-line bg-card text-sm">
        {jobs.map(({ jobId, status, progress, createdAt }) => (
          <li key={jobId} className="flex flex-wrap items-center justify-between gap-3 px-4 py-2.5">
            <Moment at={createdAt} />
            <span className="flex items-center gap-3">
              <Badge tone={status === "failed" ? "bad" : "plain"}>
                {status === "running" ? t("under.running", { ...progress }) : t(`under.${status}`)}
              </Badge>
              {status === "failed" && isOwner && (
                <Link
                  to="/w/$workspaceId/create"
                  params={{ workspaceId }}
                  search={{ from: jobId }}
                  className="text-accent underline underline-offset-2"
                >
                  {t("under.again")}
                </Link>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
