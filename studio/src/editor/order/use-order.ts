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

/** Idempotency keys of orders that may have arrived, because an attempt got no response. */
const mayHaveArrived = new Set<string>();

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
    mutationFn: async ({ idempotencyKey, request }: DraftOrder): Promise<Job> => {
      try {
        return await clientOf(workspaceId).jobs.create(request, { idempotencyKey, maxRetries: 0 });
      } catch (error) {
        if (outcomeOf(error) === "unknown") mayHaveArrived.add(idempotencyKey);
        throw error;
      }
    },
    onSuccess: (job, sent) => {
      const { jobId } = job;
      queryClient.setQueryData(jobQuery(workspaceId, jobId).queryKey, job);
      store.getState().setOrder({ ...sent, jobId });
      void queryClient.invalidateQueries({ queryKey: balanceQuery(workspaceId).queryKey });
    },
    onError: (error, { idempotencyKey }) => {
      if (outcomeOf(error, mayHaveArrived.has(idempotencyKey)) === "refused") store.getState().setOrder(null);
    },
  });
  const { mutate, isPending } = sending;

  const sendOpen = useRef<() => void>(() => {});
  sendOpen.current = () => {
    const open = store.getState().order;
    if (open?.jobId === null && !isPending && sentInThisVisit.has(open.idempotencyKey)) mutate(open);
  };
  // Continues an order that was in progress when the page was left, or when the connection or session ended.
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
    // If the browser cannot store the draft, the key is only kept until the page is left.
    await keeper.flush().catch(() => undefined);
    sendOpen.current();
  };
  /** Resends the same order with its key, so that it is charged at most once. */
  const sendAgain = (): void => {
    if (order !== null) {
      sentInThisVisit.add(order.idempotencyKey);
      mayHaveArrived.add(order.idempotencyKey);
    }
    sendOpen.current();
  };
  return {
    /** The order in progress; null if there is none. */
    order,
    isSending: isPending,
    /**
     * Whether an earlier visit sent the order without getting a response. Then the user is asked before it is resent.
     */
    isOfEarlierVisit: order?.jobId === null && !sentInThisVisit.has(order.idempotencyKey),
    /** Job id of the order, if this page sent it; null before, and after a reload. */
    sentJobId: sending.data?.jobId ?? null,
    error: sending.error,
    place,
    sendAgain,
    /** Discards the order. If the service did receive it, the pack appears in the list of packs. */
    drop: (): void => {
      sending.reset();
      store.getState().setOrder(null);
    },
    forgetError: sending.reset,
  };
}

/** HTTP status codes of refusals before the service looks up the Idempotency-Key. */
const STATUS_BEFORE_KEY_LOOKUP = [401, 403, 429];

const PAYMENT_REQUIRED = 402;
const SERVER_STATUS_MIN = 500;

/**
 * State of an order after a failed attempt. `refused`: no job exists, and the user can order again. `unknown`: a job may
 * exist, so the same request must be resent with the same key. `hasLostAttempt`: an earlier attempt with the key got no
 * response, so a refusal before the key's lookup does not tell whether the job exists.
 */
export function outcomeOf(error: unknown, hasLostAttempt = false): "refused" | "unknown" {
  if (!(error instanceof ApiError)) return "unknown";
  if (STATUS_BEFORE_KEY_LOOKUP.includes(error.status)) return hasLostAttempt ? "unknown" : "refused";
  if (error.status === PAYMENT_REQUIRED) return "refused";
  if (error.status >= SERVER_STATUS_MIN || error.code === "UNEXPECTED_ANSWER") return "unknown";
  return error.code === "IDEMPOTENCY_IN_PROGRESS" ? "unknown" : "refused";
}

const POLL_MS = 1_500;

/** Whether a job is queued or running. */
export const isOpen = ({ status }: Job): boolean => status === "queued" || status === "running";

/** Polls a job until it has ended. */
export const jobQuery = (workspaceId: string, jobId: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "job", jobId],
    queryFn: ({ signal }): Promise<Job> => Promise.resolve(clientOf(workspaceId).jobs.get(jobId, { signal })),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data === undefined || isOpen(state.data) ? POLL_MS : false),
  });
