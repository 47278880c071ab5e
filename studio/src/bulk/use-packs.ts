import { queryOptions, useIsMutating, useMutation, useQueries } from "@tanstack/react-query";
import type { Job, PackRequest } from "creative-packs";
import { inParallel } from "creative-packs/table";
import { clientOf } from "#api/client.ts";
import { balanceQuery, queryClient } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { emptyDraft, filesOf } from "#editor/draft/draft.ts";
import { readDraft } from "#editor/draft/draft-storage.ts";
import { uploadQuery } from "#editor/files/uploads.ts";
import { quotePack } from "#editor/order/order-bar.tsx";
import { packRequestOf } from "#editor/order/pack-request.ts";
import { isOpen } from "#editor/order/use-order.ts";
import { showErrorToast } from "#ui/toast.ts";
import type { Base, PlannedPack } from "./pack-table.ts";

/** The design of a draft after its files are uploaded, and the workspace's brands. */
export const baseQuery = (workspaceId: string, draftId: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "bulk-base", draftId],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: async ({ signal }): Promise<Base> => {
      const draft = (await readDraft(draftId))?.history.present ?? emptyDraft;
      const sent = filesOf(draft.files).map(async ([slot, file]) => {
        const upload = uploadQuery({ workspaceId, draftId }, slot, file);
        return [slot, await queryClient.fetchQuery(upload)] as const;
      });
      const { items } = await clientOf(workspaceId).brands.list({ limit: 100 }, { signal }).firstPage();
      return { request: packRequestOf(draft, Object.fromEntries(await Promise.all(sent))), brands: items };
    },
  });

/** Imports a picture URL and returns its asset. Each URL is imported once, even if several rows use it. */
const importQuery = (workspaceId: string, slot: keyof PackRequest["assetIds"], address: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "bulk-import", slot, address],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const options = { slot, signal, ...OPTIONS };
      return (await clientOf(workspaceId).assets.importFrom(address, options)).assetId;
    },
  });

/** A pack with its pictures imported, its price in credits, and the newest job of an identical pack. */
export interface CheckedPack {
  readonly request: PackRequest;
  readonly cost: number;
  readonly job: Job | null;
}

/** Whether the pack can be ordered: it has no job, or its job failed or was canceled. */
export const isOrderable = ({ job }: CheckedPack): boolean =>
  job === null || job.status === "failed" || job.status === "canceled";

const AT_ONCE = 4;
const POLL_MS = 1_500;
/** More retries than the default: the rate limit is per minute, and 200 packs take several minutes. */
const OPTIONS = { maxRetries: 8 };
const lanes: Promise<unknown>[] = [];
/** Ids of jobs that the mutation polls, so that the queries do not poll them too. */
const waitedFor = new Set<string>();

/**
 * Prices packs, finds those that the workspace already has, and orders the others. Packs are matched by fingerprint
 * alone, so none is ordered twice, even from another tab or on a later visit.
 */
export function usePacks(packs: readonly PlannedPack[]) {
  const workspaceId = useWorkspaceId();
  const { jobs, packs: orders } = clientOf(workspaceId);
  const check = async (pack: PackRequest, signal: AbortSignal): Promise<CheckedPack> => {
    const options = { signal, ...OPTIONS };
    const pictures = Object.entries(pack.assetIds).map(async ([name, text]) => {
      const slot = name as keyof PackRequest["assetIds"];
      const isFetched = /^https:/i.test(text);
      return [slot, isFetched ? await queryClient.fetchQuery(importQuery(workspaceId, slot, text)) : text];
    });
    const request = { ...pack, assetIds: Object.fromEntries(await Promise.all(pictures)) };
    return { request, ...(await quotePack(workspaceId, request, options)) };
  };
  const queries = packs.map(({ name, request, faults }, at) =>
    queryOptions({
      queryKey: ["workspace", workspaceId, "bulk", name, request],
      enabled: faults.length === 0,
      staleTime: Number.POSITIVE_INFINITY,
      queryFn: async ({ signal, queryKey }): Promise<CheckedPack> => {
        const before = queryClient.getQueryData<CheckedPack>(queryKey);
        if (before?.job) return { ...before, job: await jobs.get(before.job.jobId, { signal }) };
        const checked = Promise.resolve(lanes[at % AT_ONCE]).then(() => check(request, signal));
        lanes[at % AT_ONCE] = checked.catch(() => undefined);
        return checked;
      },
      refetchInterval: ({ state: { data } }) =>
        data?.job && isOpen(data.job) && !waitedFor.has(data.job.jobId) ? POLL_MS : false,
    }),
  );
  const mutationKey = ["bulk", workspaceId];
  const { mutate } = useMutation({
    mutationKey,
    mutationFn: () =>
      inParallel(AT_ONCE, queries, async ({ queryKey }, at) => {
        const checked = queryClient.getQueryData<CheckedPack>(queryKey);
        if (checked === undefined || !isOrderable(checked)) return;
        const pack = await orders.create({ ...checked.request, reuse: true }, OPTIONS);
        const name = packs[at]?.name ?? null;
        // A failed rename is ignored, because packs without a name are listed by their headline.
        if (!pack.isReused) void jobs.update(pack.id, { name }, OPTIONS).catch(() => undefined);
        const onProgress = () => queryClient.setQueryData(queryKey, { ...checked, job: pack.job });
        // Wait for the pack, to limit concurrent rendering.
        waitedFor.add(pack.id);
        await pack.wait({ ...OPTIONS, onProgress }).catch(() => undefined);
        waitedFor.delete(pack.id);
        onProgress();
      }),
    onError: showErrorToast,
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: balanceQuery(workspaceId).queryKey });
      void queryClient.invalidateQueries({ queryKey: ["workspace", workspaceId, "packs"] });
    },
  });
  return {
    states: useQueries({ queries }),
    // Read from the mutation cache, because the page may have been left and reopened while ordering.
    isOrdering: useIsMutating({ mutationKey }) > 0,
    order: () => mutate(),
  };
}
