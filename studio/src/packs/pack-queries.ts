import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation } from "@tanstack/react-query";
import type { ArtifactFile } from "creative-packs";
import { clientOf } from "#api/client.ts";
import { pagedQuery } from "#api/paged-query.ts";
import { queryClient } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { saveAs } from "#ui/save-as.ts";
import { showErrorToast } from "#ui/toast.ts";

/** State of a draft or pack. `none`: a pack without an approval request. */
export const PACK_STATES = ["draft", "none", "in_review", "changes_requested", "approved"] as const;
export type PackState = (typeof PACK_STATES)[number];

/** Filter of the list: words, brand and state; null matches any. */
export interface PackFilter {
  readonly search: string;
  readonly brandId: string | null;
  readonly state: PackState | null;
}

/** Finished packs, newest first, paginated. */
export const packsQuery = (workspaceId: string, { search, brandId, state }: PackFilter) =>
  infiniteQueryOptions({
    ...pagedQuery(["workspace", workspaceId, "packs", search, `${brandId}`, `${state}`], (after, signal) => {
      const filter = {
        ...(search !== "" && { search }),
        ...(brandId !== null && { brandId }),
        ...(state !== null && state !== "draft" && { approval: state }),
      };
      return clientOf(workspaceId)
        .artifacts.list({ limit: PAGE, ...filter, ...after }, { signal })
        .firstPage();
    }),
    placeholderData: keepPreviousData,
  });

/** Loads all pages of a list. */
async function allOf<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of list) items.push(item);
  return items;
}

/** All brands of a workspace, sorted by name. */
export const brandsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "brands"],
    queryFn: async ({ signal }) => {
      const brands = await allOf(clientOf(workspaceId).brands.list({ limit: 100 }, { signal }));
      return brands.sort((a, b) => a.name.localeCompare(b.name));
    },
  });

/** A job, and the finished versions of its pack, oldest first. */
export const versionsQuery = (workspaceId: string, jobId: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "packs", "versions", jobId],
    queryFn: async ({ signal }) => {
      const { jobs } = clientOf(workspaceId);
      const job = await jobs.get(jobId, { signal });
      const versionOf = job.versionOf ?? jobId;
      const all = await allOf(jobs.list({ versionOf, limit: 100 }, { signal }));
      return { job, versions: all.filter(({ status }) => status === "succeeded").reverse() };
    },
  });

/** Renames a pack; an empty name removes the name. */
export async function renamePack(workspaceId: string, jobId: string, name: string): Promise<void> {
  await clientOf(workspaceId).jobs.update(jobId, { name: name === "" ? null : name });
  await refreshPacks(workspaceId);
}

/** Refetches the list and versions of packs after a name or an approval may have changed. */
export const refreshPacks = (workspaceId: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: ["workspace", workspaceId, "packs"] });

const PAGE = 24;
const LOOK_AGAIN_MS = 2_000;
const SHOWN_MAX = 5;
const DAY_MS = 86_400_000;

const UNDER_WAY = ["queued", "running", "failed"] as const;

/** Orders that are queued or running, and failed orders that were created within the last day; newest first. */
export const activeJobsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "jobs-under-way"],
    queryFn: async ({ signal }) => {
      const { jobs } = clientOf(workspaceId);
      const lists = await Promise.all(
        UNDER_WAY.map(async (status) => {
          const { items } = await jobs.list({ status, limit: SHOWN_MAX }, { signal }).firstPage();
          return items.map((job) => ({ ...job, status }));
        }),
      );
      return lists
        .flat()
        .filter(({ status, createdAt }) => status !== "failed" || Date.now() - Date.parse(createdAt) < DAY_MS)
        .sort((a, b) => b.createdAt.localeCompare(a.createdAt));
    },
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status !== "failed") === true ? LOOK_AGAIN_MS : false,
  });

/** A pack: its files with verdicts and layouts. */
export const packQuery = (workspaceId: string, artifactId: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "pack", artifactId],
    queryFn: ({ signal }) => clientOf(workspaceId).artifacts.get(artifactId, { signal }),
  });

/** A file of a pack as a blob URL. Its bytes never change. */
export const fileQuery = (workspaceId: string, artifactId: string, fileId: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "pack", artifactId, "file", fileId],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const bytes = await clientOf(workspaceId).artifacts.downloadFile(artifactId, fileId, {}, { signal });
      return new Blob([bytes]);
    },
  });

/** Saves a file of a pack, from bytes that the page has already fetched if possible. */
export function useDownload(artifactId: string, { fileId, fileName }: ArtifactFile) {
  const workspaceId = useWorkspaceId();
  return useMutation({
    mutationFn: () => queryClient.fetchQuery(fileQuery(workspaceId, artifactId, fileId)),
    onSuccess: (blob) => saveAs(blob, fileName),
    onError: showErrorToast,
  });
}

/** A pack's share links. */
export const sharesQuery = (workspaceId: string, artifactId: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "pack", artifactId, "shares"],
    queryFn: async ({ signal }) => (await clientOf(workspaceId).shares.list(artifactId, { signal })).items,
  });
