import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ArtifactSummary } from "creative-packs";
import { FileSpreadsheet, Search } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useIsOwner, useWorkspaceId } from "#app/workspace.ts";
import type { ListedDraft } from "#editor/draft/draft-storage.ts";
import { draftsQuery, useDraftScope } from "#editor/draft/drafts.ts";
import { Badge } from "#ui/badge.tsx";
import { Button, buttonStyle } from "#ui/button.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { Moment } from "#ui/moment.tsx";
import { EmptyState, Loading, Page } from "#ui/page.tsx";
import { Select } from "#ui/select.tsx";
import { MoreButton } from "#ui/table.tsx";
import { inputStyle } from "#ui/text-field.tsx";
import { useDebounced } from "#ui/use-debounced.ts";
import { DraftCard, PackCard } from "./pack-card.tsx";
import { activeJobsQuery, brandsQuery, PACK_STATES, type PackFilter, packsQuery } from "./pack-queries.ts";

const PAUSE_MS = 300;
const EVERYTHING: PackFilter = { search: "", brandId: null, state: null };

/** The workspace's drafts and packs, newest first, with filters, and orders in progress. */
export function PacksPage() {
  const { t } = useTranslation("packs");
  const workspaceId = useWorkspaceId();
  const isOwner = useIsOwner();
  const scope = useDraftScope();
  const [filter, setFilter] = useState(EVERYTHING);
  // Packs are searched once typing pauses; drafts are filtered at once.
  const search = useDebounced(filter.search.trim(), PAUSE_MS);
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
      <Link
        to="/w/$workspaceId/create"
        params={{ workspaceId }}
        search={{ draft: "new" }}
        className={`${buttonStyle("primary")} max-sm:w-full sm:order-last`}
      >
        {t("new")}
      </Link>
      <Link to="/w/$workspaceId/bulk" params={{ workspaceId }} className={buttonStyle()}>
        <FileSpreadsheet className="size-4" />
        {t("bulk")}
      </Link>
    </>
  );
  return (
    <Page title={t("title")} actions={isOwner && create} isWide>
      <JobsUnderWay />
      {(packs.length + kept.length > 0 || isFiltered) && (
        <PackFilterBar filter={filter} brands={brands} onChange={setFilter} />
      )}
      {query.isLoading && <Loading />}
      <ErrorNote error={query.error} />
      {isEmpty && !isFiltered && (
        <EmptyState isOfPacks title={t("empty.title")} text={t("empty.text")} action={isOwner && create} />
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
        className={`grid gap-5 empty:hidden sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4 ${query.isPlaceholderData ? "opacity-60" : ""}`}
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

/**
 * Drafts and packs, newest first. While more packs can be loaded, drafts older than the last loaded pack are hidden.
 */
function merge(drafts: readonly ListedDraft[], packs: readonly ArtifactSummary[], hasMore: boolean) {
  const timeOf = (one: ListedDraft | ArtifactSummary): number =>
    "draftId" in one ? one.updatedAt : Date.parse(one.createdAt);
  const last = packs.at(-1);
  const since = hasMore && last !== undefined ? timeOf(last) : 0;
  return [...drafts.filter((draft) => timeOf(draft) >= since), ...packs].sort(
    (a, b) => timeOf(b) - timeOf(a),
  );
}

/** Orders in progress, and recently failed ones. Renders nothing if there are none. */
function JobsUnderWay() {
  const { t } = useTranslation("packs");
  const workspaceId = useWorkspaceId();
  const isOwner = useIsOwner();
  const { data: jobs = [] } = useQuery(activeJobsQuery(workspaceId));
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

/** Maximum length of a search in the API. */
const SEARCH_CHARACTERS_MAX = 100;
/** Value of the option that matches any. */
const ANY = "any";

interface PackFilterBarProps {
  readonly filter: PackFilter;
  readonly brands: readonly { readonly brandId: string; readonly name: string }[];
  readonly onChange: (filter: PackFilter) => void;
}

/** Filters of the list: words, brand and state. */
function PackFilterBar({ filter, brands, onChange }: PackFilterBarProps) {
  const { t } = useTranslation("packs");
  return (
    <search className="flex items-center gap-2 max-sm:flex-wrap sm:gap-3">
      <div className="relative min-w-0 flex-1 max-sm:basis-full sm:max-w-80">
        <Search className="pointer-events-none absolute inset-y-0 left-3 my-auto size-4 text-quiet" />
        <input
          type="search"
          value={filter.search}
          maxLength={SEARCH_CHARACTERS_MAX}
          aria-label={t("search")}
          placeholder={t("search")}
          onChange={({ currentTarget }) => onChange({ ...filter, search: currentTarget.value })}
          className={`${inputStyle} pl-9`}
        />
      </div>
      {brands.length > 0 && (
        <div className="min-w-0 max-sm:flex-1 sm:w-40">
          <Select
            label={t("filter.brand")}
            isLabelHidden
            value={filter.brandId ?? ANY}
            options={[
              { value: ANY, text: t("filter.allBrands") },
              ...brands.map(({ brandId, name }) => ({ value: brandId, text: name })),
            ]}
            onChange={(brandId) => onChange({ ...filter, brandId: brandId === ANY ? null : brandId })}
          />
        </div>
      )}
      <div className="min-w-0 max-sm:flex-1 sm:w-48">
        <Select
          label={t("filter.state")}
          isLabelHidden
          value={filter.state ?? ANY}
          options={[
            { value: ANY, text: t("filter.all") },
            ...PACK_STATES.map((state) => ({ value: state, text: t(`state.${state}`) })),
          ]}
          onChange={(state) => onChange({ ...filter, state: state === ANY ? null : state })}
        />
      </div>
    </search>
  );
}
