import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Job } from "creative-packs";
import { clientOf } from "#api/client.ts";
import { pagedQuery } from "#api/paged-query.ts";

/** What of the packs is shown: those with these words, those that move or do not. */
export interface PackFilter {
  readonly search: string;
  readonly motion: "all" | "static" | "animated";
}

/** Finished packs, newest first, page by page. */
export const packsQuery = (workspaceId: string, { search, motion }: PackFilter) =>
  infiniteQueryOptions({
    ...pagedQuery(["workspace", workspaceId, "packs", search, motion], (after, signal) => {
      const filter = { ...(search === "" ? {} : { search }), ...(motion === "all" ? {} : { motion }) };
      return clientOf(workspaceId)
        .artifacts.list({ limit: PAGE, ...filter, ...after }, { signal })
        .firstPage();
    }),
    placeholderData: keepPreviousData,
  });

const PAGE = 24;
const LOOK_AGAIN_MS = 2_000;
const SHOWN_MAX = 5;
const DAY_MS = 86_400_000;

const UNDER_WAY = ["queued", "running", "failed"] as const;

/** What the list tells of an order. */
interface JobUnderWay extends Pick<Job, "jobId" | "createdAt" | "progress"> {
  readonly status: (typeof UNDER_WAY)[number];
}

/** Orders that are waiting, being drawn, or failed within a day; newest first. */
export const jobsUnderWayQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "jobs-under-way"],
    queryFn: async ({ signal }): Promise<readonly JobUnderWay[]> => {
      const { jobs } = clientOf(workspaceId);
      const lists = await Promise.all(
        UNDER_WAY.map(async (status) => {
          const { items } = await jobs.list({ status, limit: SHOWN_MAX }, { signal }).firstPage();
          return items.map(({ jobId, createdAt, progress }) => ({ jobId, createdAt, progress, status }));
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

/** A file of a pack as a picture that the page can show. Its bytes never change. */
export const fileQuery = (workspaceId: string, artifactId: string, fileId: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "pack", artifactId, "file", fileId],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const bytes = await clientOf(workspaceId).artifacts.downloadFile(artifactId, fileId, {}, { signal });
      return new Blob([bytes]);
    },
  });

/** The links of a pack by which people without an account look at it. */
export const sharesQuery = (workspaceId: string, artifactId: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "pack", artifactId, "shares"],
    queryFn: async ({ signal }) => (await clientOf(workspaceId).shares.list(artifactId, { signal })).items,
  });
