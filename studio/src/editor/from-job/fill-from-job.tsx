import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useWorkspaceId } from "#app/workspace.ts";
import { Button } from "#ui/button.tsx";
import { ErrorNote } from "#ui/error-note.tsx";
import { tell } from "#ui/toast.ts";
import { useDraftId, useEdit } from "../draft/editor-store.ts";
import { fetchJob } from "./fetch-job.ts";

/** Fills the draft from an earlier job that the page's address names, as one step that can be undone. */
export function FillFromJob() {
  const { from } = useSearch({ from: "/w/$workspaceId/create" });
  return from === undefined ? null : <Filling jobId={from} />;
}

function Filling({ jobId }: { readonly jobId: string }) {
  const { t } = useTranslation("editor");
  const { t: common } = useTranslation();
  const workspaceId = useWorkspaceId();
  const navigate = useNavigate();
  const edit = useEdit();
  const draftId = useDraftId();
  const { data, error, refetch } = useQuery({
    queryKey: ["fill-from-job", workspaceId, jobId],
    queryFn: () => fetchJob(workspaceId, draftId, jobId),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

  useEffect(() => {
    if (data === undefined) return;
    edit(() => data.draft);
    tell(data.isWhole ? t("from.done") : t("from.partly"));
    // Without it a reload would fill the draft anew.
    void navigate({ to: "/w/$workspaceId/create", params: { workspaceId }, search: {}, replace: true });
  }, [data, edit, navigate, t, workspaceId]);

  if (error === null)
    return (
      <p role="status" className="rounded-md bg-sunk px-3.5 py-2.5 text-sm">
        {t("from.loading")}
      </p>
    );
  return (
    <div className="flex flex-wrap items-center gap-3">
      <div className="min-w-0 flex-1">
        <ErrorNote error={error}>{t("from.failed")}</ErrorNote>
      </div>
      <Button onClick={() => void refetch()}>{common("retry")}</Button>
    </div>
  );
}
