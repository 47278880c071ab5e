import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useIsOwner, useWorkspaceId } from "#app/workspace.ts";
import { Button, buttonStyle } from "#ui/button.tsx";
import { ErrorNote } from "#ui/error-note.tsx";
import { MoreButton } from "#ui/more-button.tsx";
import { EmptyState, Loading, Page } from "#ui/page.tsx";
import { JobsUnderWay } from "./jobs-under-way.tsx";
import { PackCard } from "./pack-card.tsx";
import { PackFilterBar } from "./pack-filter.tsx";
import { type PackFilter, packsQuery } from "./pack-queries.ts";

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
