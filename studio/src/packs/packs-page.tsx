import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ArtifactSummary } from "creative-packs";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useIsOwner, useWorkspaceId } from "#app/workspace.ts";
import { Badge } from "#ui/badge.tsx";
import { Button, buttonStyle } from "#ui/button.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { Moment } from "#ui/moment.tsx";
import { MoreButton } from "#ui/more-button.tsx";
import { EmptyState, Loading, Page } from "#ui/page.tsx";
import { Select } from "#ui/select.tsx";
import { inputStyle } from "#ui/text-field.tsx";
import { FilePicture } from "./file-picture.tsx";
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
    <>
      <Link to="/w/$workspaceId/bulk" params={{ workspaceId }} className={buttonStyle()}>
        {t("bulk")}
      </Link>
      <Link to="/w/$workspaceId/create" params={{ workspaceId }} className={buttonStyle("primary")}>
        {t("new")}
      </Link>
    </>
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

/** A pack in the list: a picture of it, what it says, how many sizes, and how long its files are kept. */
function PackCard({ pack }: { readonly pack: ArtifactSummary }) {
  const { t } = useTranslation("packs");
  const workspaceId = useWorkspaceId();
  const { artifactId, status, sizeCount, motion, headline, thumbnail, createdAt, expiresAt } = pack;
  return (
    <Link
      to="/w/$workspaceId/packs/$artifactId"
      params={{ workspaceId, artifactId }}
      className="group flex h-full flex-col overflow-hidden rounded-lg border border-line bg-card text-sm hover:border-strong-line"
    >
      <span className="flex h-44 items-center justify-center bg-sunk p-4">
        {thumbnail !== null && (
          <FilePicture artifactId={artifactId} file={thumbnail} alt="" isPlaying={false} fit="contain" />
        )}
      </span>
      <span className="flex flex-1 flex-col gap-1 p-4">
        <span className="line-clamp-2 font-medium break-words group-hover:underline">
          {headline ?? t("noHeadline")}
        </span>
        <span className="flex flex-wrap items-center gap-2 text-quiet">
          {t("sizes", { count: sizeCount })} · <Moment at={createdAt} />
          {motion === "animated" && <Badge>{t("animated")}</Badge>}
        </span>
        <span className="mt-auto pt-1 text-xs text-quiet">
          {status === "ready" ? (
            <>
              {t("expires")} <Moment at={expiresAt} hasTime={false} />
            </>
          ) : (
            t("expired")
          )}
        </span>
      </span>
    </Link>
  );
}

const MOTIONS = ["all", "static", "animated"] as const;
/** A search begins once typing pauses for so long. */
const PAUSE_MS = 300;
/** As the API takes it. */
const SEARCH_CHARACTERS_MAX = 100;

interface PackFilterBarProps {
  readonly filter: PackFilter;
  readonly onChange: (filter: PackFilter) => void;
}

/** Words to search packs by, and whether they move. */
function PackFilterBar({ filter, onChange }: PackFilterBarProps) {
  const { t } = useTranslation("packs");
  const [text, setText] = useState(filter.search);
  // What was searched for here last; the field goes on from there, and follows only what is changed elsewhere.
  const searched = useRef(filter.search);
  useEffect(() => {
    if (filter.search === searched.current) return;
    searched.current = filter.search;
    setText(filter.search);
  }, [filter.search]);
  useEffect(() => {
    const search = text.trim();
    if (search === filter.search) return;
    const timer = setTimeout(() => {
      searched.current = search;
      onChange({ ...filter, search });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, filter, onChange]);
  return (
    <search className="flex flex-wrap gap-3">
      <div className="min-w-0 flex-1 basis-56 sm:max-w-sm">
        <input
          type="search"
          value={text}
          maxLength={SEARCH_CHARACTERS_MAX}
          aria-label={t("search")}
          placeholder={`${t("search")}: ${t("searchHint")}`}
          onChange={(event) => setText(event.currentTarget.value)}
          className={inputStyle}
        />
      </div>
      <Select
        label={t("filter.label")}
        isLabelHidden
        value={filter.motion}
        options={MOTIONS.map((value) => ({ value, text: t(`filter.${value}`) }))}
        onChange={(motion) => onChange({ ...filter, motion })}
      />
    </search>
  );
}
