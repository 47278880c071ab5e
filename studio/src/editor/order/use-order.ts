import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { ApiError, ConnectionError, type Job, type PackRequest } from "creative-packs";
import { useEffect, useRef } from "react";
import { clientOf } from "#api/client.ts";
import { balanceQuery, queryClient, sessionQuery } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { type DraftOrder, useEditor, useEditorStore } from "../draft/editor-store.ts";
import type { Keeper } from "../draft/use-kept-draft.ts";

export type OpenOrder = ReturnType<typeof useOrder>;

const TRIES_MAX = 2;

/** Idempotency keys of the orders that this visit has sent: these are sent again without a question. */
const sentInThisVisit = new Set<string>();

/**
 * Orders the draft. The order is written down before it is sent. While the page stays open, it is sent again with its own
 * key after a broken connection or a session that ended, until its outcome is known. At a later visit the person decides.
 */
export function useOrder(keeper: Keeper) {
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
  // One that was under way when the page was left, whose connection broke, or whose session had ended.
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
    // Where the browser keeps nothing, the key lives as long as the page.
    await keeper.flush().catch(() => undefined);
    sendOpen.current();
  };
  /** Sends the same order again, which makes and charges it once at most. */
  const sendAgain = (): void => {
    if (order !== null) sentInThisVisit.add(order.idempotencyKey);
    sendOpen.current();
  };
  return {
    /** What was ordered and has not ended; null for nothing. */
    order,
    isSending: isPending,
    /** Whether an earlier visit sent the order and did not read its answer: the person is asked before it is sent again. */
    isOfEarlierVisit: order?.jobId === null && !sentInThisVisit.has(order.idempotencyKey),
    /** The job that this page sent its order for; null before, and for one that was sent before a reload. */
    sentJobId: sending.data?.jobId ?? null,
    error: sending.error,
    place,
    sendAgain,
    /** Frees the draft of the order. If the order did arrive, its pack is among the others. */
    drop: (): void => {
      sending.reset();
      store.getState().setOrder(null);
    },
    forgetError: sending.reset,
  };
}

/** Codes after which nothing was made although the same request may succeed later. */
const NOT_MADE_STATUS = [401, 402, 403, 429];
const SERVER_STATUS_MIN = 500;

/**
 * What is known after an order was answered with an error: `refused`: nothing was made, and a new order is another one.
 * `unknown`: it may have been made; only the same request with the same key may follow.
 */
export function outcomeOf(error: unknown): "refused" | "unknown" {
  if (!(error instanceof ApiError)) return "unknown";
  if (NOT_MADE_STATUS.includes(error.status)) return "refused";
  if (error.status >= SERVER_STATUS_MIN || error.code === "UNEXPECTED_ANSWER") return "unknown";
  return error.code === "IDEMPOTENCY_IN_PROGRESS" ? "unknown" : "refused";
}

const POLL_MS = 1_500;

/** Whether there is more to come of a job. */
export const isOpen = ({ status }: Job): boolean => status === "queued" || status === "running";

/** A job, looked at again and again until it has ended. */
export const jobQuery = (workspaceId: string, jobId: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "job", jobId],
    queryFn: ({ signal }): Promise<Job> => Promise.resolve(clientOf(workspaceId).jobs.get(jobId, { signal })),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data === undefined || isOpen(state.data) ? POLL_MS : false),
  });
