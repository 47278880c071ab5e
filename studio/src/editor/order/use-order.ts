import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { ApiError, ConnectionError, type Job, type PackRequest } from "creative-packs";
import { useEffect, useRef } from "react";
import { clientOf } from "#api/client.ts";
import { balanceQuery, queryClient, sessionQuery } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { type DraftOrder, useEditor, useEditorStore } from "../draft/editor-store.ts";
import type { DraftWriter } from "../draft/use-stored-draft.ts";

export type OpenOrder = ReturnType<typeof useOrder>;

const TRIES_MAX = 2;

/** Idempotency keys of orders sent on this visit; these are resent without asking. */
const sentInThisVisit = new Set<string>();

/**
 * Orders the draft. The order is stored before it is sent. While the page stays open, it is resent with the same key
 * after a broken connection or an ended session, until its outcome is known. On a later visit, the user decides.
 */
export function useOrder(keeper: DraftWriter) {
  const workspaceId = useWorkspaceId();
  const store = useEditorStore();
  const order = useEditor((state) => state.order);
  const session = useQuery(sessionQuery);
  const sending = useMutation({
    retry: (count, error) => error instanceof ConnectionError && count < TRIES_MAX,
    retryDelay: 1_500,
    mutationFn: ({ idempotencyKey, request }: DraftOrder): Promise<Job> =>
      Promise.resolve(clientOf(workspaceId).jobs.create(request, { idempotencyKey, maxRetries: 0 })),
    onSuccess: (job, sent) => {
      const { jobId } = job;
      queryClient.setQueryData(jobQuery(workspaceId, jobId).queryKey, job);
      store.getState().setOrder({ ...sent, jobId });
      void queryClient.invalidateQueries({ queryKey: balanceQuery(workspaceId).queryKey });
    },
    onError: (error) => {
      if (outcomeOf(error) === "refused") store.getState().setOrder(null);
    },
  });
  const { mutate, isPending } = sending;

  const sendOpen = useRef<() => void>(() => {});
  sendOpen.current = () => {
    const open = store.getState().order;
    if (open?.jobId === null && !isPending && sentInThisVisit.has(open.idempotencyKey)) mutate(open);
  };
  // An order that was in progress when the page was left, or whose connection or session ended.
  const isSignedIn = session.data !== null;
  useEffect(() => {
    if (isSignedIn) sendOpen.current();
    const onOnline = (): void => sendOpen.current();
    window.addEventListener("online", onOnline);
    return () => window.removeEventListener("online", onOnline);
  }, [isSignedIn]);

  const place = async (request: PackRequest, cost: number): Promise<void> => {
    if (store.getState().order !== null) return;
    const idempotencyKey = crypto.randomUUID();
    const { versionOf, history, setOrder, ...kept } = store.getState();
    const name = kept.name.trim();
    const named = { ...request, ...(name !== "" && { name }), ...(versionOf !== null && { versionOf }) };
    setOrder({ idempotencyKey, request: named, draft: history.present, cost, jobId: null });
    sentInThisVisit.add(idempotencyKey);
    // If the browser stores nothing, the key lives as long as the page.
    await keeper.flush().catch(() => undefined);
    sendOpen.current();
  };
  /** Resends the same order, which makes and charges it at most once. */
  const sendAgain = (): void => {
    if (order !== null) sentInThisVisit.add(order.idempotencyKey);
    sendOpen.current();
  };
  return {
    /** The order that has not ended; null for none. */
    order,
    isSending: isPending,
    /** Whether an earlier visit sent the order without reading its answer: the user is asked before it is resent. */
    isOfEarlierVisit: order?.jobId === null && !sentInThisVisit.has(order.idempotencyKey),
    /** Job of the order that this page sent; null before, and for an order sent before a reload. */
    sentJobId: sending.data?.jobId ?? null,
    error: sending.error,
    place,
    sendAgain,
    /** Discards the order. If it did arrive, its pack is under Packs. */
    drop: (): void => {
      sending.reset();
      store.getState().setOrder(null);
    },
    forgetError: sending.reset,
  };
}

/** HTTP statuses after which nothing was made, although the same request may succeed later. */
const NOT_MADE_STATUS = [401, 402, 403, 429];
const SERVER_STATUS_MIN = 500;

/**
 * State after an error answer. `refused`: nothing was made, and a new order is independent. `unknown`: it may have been
 * made; only the same request with the same key may follow.
 */
export function outcomeOf(error: unknown): "refused" | "unknown" {
  if (!(error instanceof ApiError)) return "unknown";
  if (NOT_MADE_STATUS.includes(error.status)) return "refused";
  if (error.status >= SERVER_STATUS_MIN || error.code === "UNEXPECTED_ANSWER") return "unknown";
  return error.code === "IDEMPOTENCY_IN_PROGRESS" ? "unknown" : "refused";
}

const POLL_MS = 1_500;

/** Whether a job has not ended. */
export const isOpen = ({ status }: Job): boolean => status === "queued" || status === "running";

/** Polls a job until it has ended. */
export const jobQuery = (workspaceId: string, jobId: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "job", jobId],
    queryFn: ({ signal }): Promise<Job> => Promise.resolve(clientOf(workspaceId).jobs.get(jobId, { signal })),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data === undefined || isOpen(state.data) ? POLL_MS : false),
  });
