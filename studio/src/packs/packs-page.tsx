import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ArtifactSummary } from "creative-packs";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useIsOwner, useWorkspaceId } from "#app/workspace.ts";
import { draftsQuery, useDraftScope } from "#editor/draft/drafts.ts";
import type { ListedDraft } from "#editor/draft/kept-draft.ts";
import { Badge } from "#ui/badge.tsx";
import { Button, buttonStyle } from "#ui/button.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { Moment } from "#ui/moment.tsx";
import { EmptyState, Loading, Page } from "#ui/page.tsx";
import { MoreButton } from "#ui/table.tsx";
import { inputStyle } from "#ui/text-field.tsx";
import { useRested } from "#ui/use-rested.ts";
import { DraftCard, PackCard } from "./pack-card.tsx";
import { brandsQuery, jobsUnderWayQuery, PACK_STATES, type PackFilter, packsQuery } from "./pack-queries.ts";

const PAUSE_MS = 300;
const EVERYTHING: PackFilter = { search: "", brandId: null, state: null };

/** The workspace's drafts and packs, newest first, by brand and state, and what is being made. */
export function PacksPage() {
  const { t } = useTranslation("packs");
  const workspaceId = useWorkspaceId();
  const isOwner = useIsOwner();
  const scope = useDraftScope();
  const [filter, setFilter] = useState(EVERYTHING);
  // A search begins once typing pauses; drafts are there at once.
  const search = useRested(filter.search.trim(), PAUSE_MS);
  const query = useInfiniteQuery({
    ...packsQuery(workspaceId, { ...filter, search }),
    enabled: filter.state !== "draft",
  });
  const { data: brands = [] } = useQuery(brandsQuery(workspaceId));
  const { data: kept = [] } = useQuery(draftsQuery(scope));
  const packs = filter.state === "draft" ? [] : (query.data?.pages.flatMap(({ items }) => items) ?? []);
  const hasMore = filter.state !== "draft" && query.hasNextPage;
  const drafts = kept.filter((draft) => isShown(draft, filter));
  const isFiltered = filter.search !== "" || filter.brandId !== null || filter.state !== null;
  const isSettled = filter.state === "draft" || (query.isSuccess && !query.isPlaceholderData);
  const isEmpty = isSettled && packs.length + drafts.length === 0 && !hasMore;
  const create = (
    <>
      <Link to="/w/$workspaceId/bulk" params={{ workspaceId }} className={buttonStyle()}>
        {t("bulk")}
      </Link>
      <Link
        to="/w/$workspaceId/create"
        params={{ workspaceId }}
        search={{ draft: "new" }}
        className={buttonStyle("primary")}
      >
        {t("new")}
      </Link>
    </>
  );
  return (
    <Page title={t("title")} lead={t("lead")} actions={isOwner && create}>
      <JobsUnderWay />
      {(packs.length + kept.length > 0 || isFiltered) && (
        <PackFilterBar filter={filter} onChange={setFilter} />
      )}
      <div className={brands.length > 0 ? "grid gap-5 lg:grid-cols-[11rem_1fr]" : "grid gap-5"}>
        {brands.length > 0 && (
          <Choices
            label={t("filter.brand")}
            isColumn
            chosen={filter.brandId}
            options={[
              { value: null, text: t("filter.allBrands") },
              ...brands.map(({ brandId, name }) => ({ value: brandId, text: name })),
            ]}
            onChoose={(brandId) => setFilter({ ...filter, brandId })}
          />
        )}
        <div className="flex min-w-0 flex-col gap-5">
          {query.isLoading && <Loading />}
          <ErrorNote error={query.error} />
          {isEmpty && !isFiltered && (
            <EmptyState
              isOfPacks
              title={t("empty.title")}
              text={t("empty.text")}
              action={isOwner && create}
            />
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
            className={`grid gap-5 sm:grid-cols-2 xl:grid-cols-3 ${query.isPlaceholderData ? "opacity-60" : ""}`}
          >
            {merge(drafts, packs, hasMore).map((one) =>
              "draftId" in one ? (
                <DraftCard key={one.draftId} draft={one} scope={scope ?? ""} />
              ) : (
                <PackCard key={one.artifactId} pack={one} />
              ),
            )}
          </ul>
          {hasMore && <MoreButton query={query} />}
        </div>
      </div>
    </Page>
  );
}

/** Whether a draft matches the filter. */
function isShown(draft: ListedDraft, { search, brandId, state }: PackFilter): boolean {
  const { brandId: ofDraft, texts } = draft.history.present;
  return (
    (state === null || state === "draft") &&
    (brandId === null || brandId === ofDraft) &&
    `${draft.name} ${texts.headline}`.toLowerCase().includes(search.trim().toLowerCase())
  );
}

/** Drafts and packs, newest first. While more packs can be loaded, drafts older than the last one are held back. */
function merge(drafts: readonly ListedDraft[], packs: readonly ArtifactSummary[], hasMore: boolean) {
  const timeOf = (one: ListedDraft | ArtifactSummary): number =>
    "draftId" in one ? one.updatedAt : Date.parse(one.createdAt);
  const last = packs.at(-1);
  const since = hasMore && last !== undefined ? timeOf(last) : 0;
  return [...drafts.filter((draft) => timeOf(draft) >= since), ...packs].sort(
    (a, b) => timeOf(b) - timeOf(a),
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
        {jobs.map(({ jobId, name, status, progress, createdAt }) => (
          <li key={jobId} className="flex flex-wrap items-center justify-between gap-3 px-4 py-2.5">
            <span>
              {name} <Moment at={createdAt} />
            </span>
            <span className="flex items-center gap-3">
              <Badge tone={status === "failed" ? "bad" : "plain"}>
                {status === "running" ? t("under.running", { ...progress }) : t(`under.${status}`)}
              </Badge>
              {status === "failed" && isOwner && (
                <Link
                  to="/w/$workspaceId/create"
                  params={{ workspaceId }}
                  search={{ draft: "new", from: jobId }}
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

interface ChoicesProps<Value extends string> {
  readonly label: string;
  /** Whether to stack the buttons on a wide screen. */
  readonly isColumn?: boolean;
  readonly chosen: Value | null;
  /** Null is the choice of everything. */
  readonly options: readonly { readonly value: Value | null; readonly text: string }[];
  readonly onChoose: (value: Value | null) => void;
}

/** Buttons of which one is pressed; on a narrow screen, a row that scrolls. */
function Choices<Value extends string>(props: ChoicesProps<Value>) {
  const { label, isColumn = false, chosen, options, onChoose } = props;
  return (
    <fieldset
      aria-label={label}
      className={`flex min-w-0 items-start -m-0.5 gap-1 overflow-x-auto p-0.5 ${isColumn ? "lg:flex-col lg:items-stretch" : ""}`}
    >
      {options.map(({ value, text }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          onClick={() => onChoose(value)}
          className="min-h-9 shrink-0 truncate rounded-md px-3 text-left text-sm text-quiet hover:text-ink aria-pressed:bg-sunk aria-pressed:font-medium aria-pressed:text-ink"
        >
          {text}
        </button>
      ))}
    </fieldset>
  );
}

/** As the API takes it. */
const SEARCH_CHARACTERS_MAX = 100;

interface PackFilterBarProps {
  readonly filter: PackFilter;
  readonly onChange: (filter: PackFilter) => void;
}

/** Words to search packs by, their brand and their state. */
function PackFilterBar({ filter, onChange }: PackFilterBarProps) {
  const { t } = useTranslation("packs");
  return (
    <search className="flex flex-wrap gap-3">
      <div className="min-w-0 flex-1 basis-56 sm:max-w-sm">
        <input
          type="search"
          value={filter.search}
          maxLength={SEARCH_CHARACTERS_MAX}
          aria-label={t("search")}
          placeholder={`${t("search")}: ${t("searchHint")}`}
          onChange={({ currentTarget }) => onChange({ ...filter, search: currentTarget.value })}
          className={inputStyle}
        />
      </div>
      <Choices
        label={t("filter.state")}
        chosen={filter.state}
        options={[
          { value: null, text: t("filter.all") },
          ...PACK_STATES.map((state) => ({ value: state, text: t(`state.${state}`) })),
        ]}
        onChoose={(state) => onChange({ ...filter, state })}
      />
    </search>
  );
}
