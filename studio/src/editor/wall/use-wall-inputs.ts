import { useQueries, useQuery } from "@tanstack/react-query";
import type { SlotId } from "creative-packs-service/slots";
import { useMemo } from "react";
import { clientOf } from "#api/client.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import type { WallInputs } from "#drawing/types.ts";
import { filesOf } from "../draft/draft.ts";
import { useDraft, useDraftId } from "../draft/editor-store.ts";
import { fileQuery } from "../draft/file-bytes.ts";
import { wallInputsOf } from "./wall-inputs.ts";

/** What the wall draws now; null while files of the draft, or the account's protection, are on their way. */
export function useWallInputs(): Omit<WallInputs, "sizes"> | null {
  const workspaceId = useWorkspaceId();
  const draftId = useDraftId();
  const draft = useDraft((one) => one);
  const filled = useMemo(() => filesOf(draft.files), [draft.files]);
  const quota = useQuery({
    queryKey: ["workspace", workspaceId, "protection"],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => (await clientOf(workspaceId).previews.quota({ signal })).protection,
  });
  const files = useQueries({
    queries: filled.map(([, { sha256 }]) => fileQuery(draftId, sha256)),
    combine: (results) =>
      results.some(({ isPending }) => isPending) ? null : results.map(({ data }) => data ?? null),
  });
  // Where it cannot be asked, as offline, the wall is drawn with the strictest.
  const protection =
    quota.data ?? (quota.isError || quota.fetchStatus === "paused" ? "watermarked-lowres" : null);
  return useMemo(() => {
    if (files === null || protection === null) return null;
    const bytes: Partial<Record<SlotId, Blob>> = {};
    for (const [index, [slot]] of filled.entries()) {
      const file = files[index];
      if (file !== null && file !== undefined) bytes[slot] = file.bytes;
    }
    return wallInputsOf(draft, bytes, protection, workspaceId);
  }, [draft, filled, files, protection, workspaceId]);
}
