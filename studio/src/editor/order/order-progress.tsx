import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Job, SucceededJob } from "creative-packs";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { clientOf } from "#api/client.ts";
import { balanceQuery, queryClient } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { Button } from "#ui/button.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { Progress } from "#ui/progress.tsx";
import { useEditorStore } from "../draft/editor-store.ts";
import { isOpen, jobQuery, type OpenOrder } from "./use-order.ts";

/** An order from the click to its end: sending, queued, running, ready or failed. */
export function OrderProgress({ order }: { readonly order: OpenOrder }) {
  const { t } = useTranslation("editor");
  if (order.order === null) return null;
  const { jobId, cost, request } = order.order;
  if (jobId !== null) return <JobProgress jobId={jobId} wasSentHere={order.sentJobId === jobId} />;
  if (order.isSending || (order.error === null && !order.isOfEarlierVisit))
    return (
      <p role="status" className="py-1.5 text-sm">
        {t("order.sending")}
      </p>
    );
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 text-sm">
      <p className="min-w-0 flex-1 basis-80">
        {t("order.unknown", { cost, count: request.selectedSizeIds.length })}
      </p>
      <Button onClick={order.drop}>{t("order.drop")}</Button>
      <Button kind="primary" onClick={order.sendAgain}>
        {t("order.sendAgain")}
      </Button>
    </div>
  );
}

interface JobProgressProps {
  readonly jobId: string;
  /** Whether this page sent the order. Its pack is then opened, even if it was ready before the response arrived. */
  readonly wasSentHere: boolean;
}

function JobProgress({ jobId, wasSentHere }: JobProgressProps) {
  const { t } = useTranslation("editor");
  const workspaceId = useWorkspaceId();
  const { data: job, error } = useQuery(jobQuery(workspaceId, jobId));
  useRefreshOnEnd(workspaceId, job);
  const wasSeenOpen = useRef(false);
  if (job !== undefined && isOpen(job)) wasSeenOpen.current = true;
  if (job === undefined)
    return error === null ? (
      <p role="status" className="py-1.5 text-sm">
        {t("order.sending")}
      </p>
    ) : (
      <ErrorNote error={error}>{t("order.pollFailed")}</ErrorNote>
    );
  if (job.status === "succeeded")
    return <Finished job={job} wasWaitedFor={wasSentHere || wasSeenOpen.current} />;
  if (job.status === "failed" || job.status === "canceled") return <Ended job={job} />;
  return <Drawing job={job} isLost={error !== null} />;
}

/** When the job ends, refetches the data that it has changed. */
function useRefreshOnEnd(workspaceId: string, job: Job | undefined): void {
  const hasEnded = job !== undefined && !isOpen(job);
  useEffect(() => {
    if (!hasEnded) return;
    void queryClient.invalidateQueries({ queryKey: balanceQuery(workspaceId).queryKey });
    void queryClient.invalidateQueries({ queryKey: ["workspace", workspaceId, "packs"] });
  }, [hasEnded, workspaceId]);
}

function Drawing({ job, isLost }: { readonly job: Job; readonly isLost: boolean }) {
  const { t } = useTranslation("editor");
  const workspaceId = useWorkspaceId();
  const cancel = useMutation({
    mutationFn: () => Promise.resolve(clientOf(workspaceId).jobs.cancel(job.jobId)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: jobQuery(workspaceId, job.jobId).queryKey }),
  });
  const { completed, total } = job.progress;
  const words = job.status === "queued" ? t("order.queued") : t("order.running", { completed, total });
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex min-w-0 flex-1 flex-col gap-0.5">
          <p role="status" className="text-sm font-medium tabular-nums">
            {words}
          </p>
          <p className="text-xs text-quiet">{isLost ? t("order.pollFailed") : t("order.mayLeave")}</p>
        </div>
        {job.status === "queued" && (
          <Button isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
            {t("order.cancel")}
          </Button>
        )}
      </div>
      <Progress label={words} share={total === 0 ? 0 : completed / total} />
    </div>
  );
}

interface FinishedProps {
  readonly job: SucceededJob;
  /** Whether the pack became ready while the page was open. */
  readonly wasWaitedFor: boolean;
}

/** Opens the pack at once if the user waited for it; shows a link if they came back to the draft later. */
function Finished({ job, wasWaitedFor }: FinishedProps) {
  const { t } = useTranslation("editor");
  const workspaceId = useWorkspaceId();
  const navigate = useNavigate();
  const store = useEditorStore();
  const { jobId, artifactId } = job;
  const finish = (): void => store.getState().finishOrder(jobId);
  const open = (): void => {
    finish();
    void navigate({ to: "/w/$workspaceId/packs/$artifactId", params: { workspaceId, artifactId } });
  };
  const openNow = useRef(open);
  openNow.current = open;
  useEffect(() => {
    if (wasWaitedFor) openNow.current();
  }, [wasWaitedFor]);
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p role="status" className="text-sm font-medium">
        {t("order.ready")}
      </p>
      <div className="flex gap-2">
        <Button onClick={finish}>{t("order.goOn")}</Button>
        <Button kind="primary" onClick={open}>
          {t("order.openPack")}
        </Button>
      </div>
    </div>
  );
}

function Ended({ job }: { readonly job: Job }) {
  const { t } = useTranslation("editor");
  const store = useEditorStore();
  const { failure } = job;
  return (
    <div role="alert" className="flex flex-wrap items-center justify-between gap-3 text-sm">
      <p className="min-w-0 flex-1">
        {failure === null
          ? t("order.canceled")
          : `${t("order.failed")} ${t(`order.failure.${failure.code}`)} ${failure.refunded ? t("order.refunded") : ""}`}
      </p>
      <Button kind="primary" onClick={() => store.getState().setOrder(null)}>
        {t("order.goOn")}
      </Button>
    </div>
  );
}
