import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type Job, NotFoundError, type Schemas } from "creative-packs";
import type { Placement, Placements } from "creative-packs-service/renderer";
import { PICTURE_SLOT_IDS, SLOT_IDS, type SlotId } from "creative-packs-service/slots";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { clientOf } from "#api/client.ts";
import { queryClient } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { takeUnchanged } from "#brands/draft-brand.ts";
import { brandsQuery } from "#packs/pack-queries.ts";
import { Button } from "#ui/button.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { showToast } from "#ui/toast.ts";
import {
  type Draft,
  type DraftFile,
  type DraftOverride,
  emptyDraft,
  type Files,
  isEmptyOverride,
  TEXT_FIELDS,
} from "../draft/draft.ts";
import { useDraftId, useEdit, useEditorStore } from "../draft/editor-store.ts";
import { keepFile } from "../draft/file-bytes.ts";
import { inspectAsset } from "../files/asset-picker.tsx";

/** Fills the draft from the earlier job in the page's address, as one undo step. */
export function FillFromJob() {
  const { from, version = false } = useSearch({ from: "/w/$workspaceId/create" });
  return from === undefined ? null : <Filling jobId={from} isVersion={version} />;
}

interface FillingProps {
  readonly jobId: string;
  /** Whether the draft becomes a new version of the job's pack. */
  readonly isVersion: boolean;
}

function Filling({ jobId, isVersion }: FillingProps) {
  const { t } = useTranslation("editor");
  const { t: common } = useTranslation();
  const workspaceId = useWorkspaceId();
  const navigate = useNavigate();
  const edit = useEdit();
  const store = useEditorStore();
  const draftId = useDraftId();
  const { data, error, refetch } = useQuery({
    queryKey: ["fill-from-job", workspaceId, jobId],
    queryFn: () => fetchJob(workspaceId, draftId, jobId),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

  useEffect(() => {
    if (data === undefined) return;
    const { rename, setVersionOf } = store.getState();
    edit(() => data.draft);
    rename(data.job.name ?? "");
    if (isVersion) setVersionOf(data.job.versionOf ?? data.job.jobId);
    showToast(data.isWhole ? t("from.done") : t("from.partly"));
    // Remove the job from the address, so that a reload does not fill the draft again.
    void navigate({
      to: "/w/$workspaceId/create",
      params: { workspaceId },
      search: ({ draft }) => ({ ...(draft !== undefined && { draft }) }),
      replace: true,
    });
  }, [data, edit, store, isVersion, navigate, t, workspaceId]);

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

/**
 * Downloads the files of an earlier job and returns its draft. `isWhole`: no file is missing. Throws the client
 * library's errors.
 */
async function fetchJob(workspaceId: string, draftId: string, jobId: string) {
  const job = await clientOf(workspaceId).jobs.get(jobId);
  const brands = job.brandId === null ? [] : await queryClient.fetchQuery(brandsQuery(workspaceId));
  const brand = brands.find(({ brandId }) => brandId === job.brandId);
  const named = SLOT_IDS.flatMap((slot) => {
    const assetId = job.assetIds[slot];
    return assetId === undefined ? [] : [fetchFile(workspaceId, draftId, slot, assetId)];
  });
  const fetched = await Promise.all(named);
  const found = fetched.filter((entry) => entry !== null);
  const files = Object.fromEntries(found);
  const own = draftFromJob(job, files);
  const draft = brand === undefined ? { ...own, brandId: null } : takeUnchanged(own, job, brand);
  return { job, draft, isWhole: found.length === named.length };
}

/** Downloads an asset; null if it was deleted. */
async function fetchFile(
  workspaceId: string,
  draftId: string,
  slot: SlotId,
  assetId: string,
): Promise<readonly [SlotId, DraftFile] | null> {
  try {
    const inspected = await inspectAsset(workspaceId, assetId);
    if (!inspected.ok) return null;
    await keepFile(draftId, inspected.file.sha256, inspected.kept);
    return [slot, inspected.file];
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

/** The draft that a job was ordered with, without files that no longer exist. */
function draftFromJob(job: Job, files: Files): Draft {
  const { language = "", ...texts } = job.copy;
  return {
    files,
    texts: { ...emptyDraft.texts, ...texts },
    language,
    brandId: job.brandId,
    brand: job.brand,
    look: job.look,
    ...(job.buttonStyle !== null && { buttonStyle: job.buttonStyle }),
    variant: job.variant,
    composition: job.composition,
    motion: job.motion,
    outputFormat: job.outputFormat,
    ...(job.network !== null && { network: job.network }),
    ...(job.clickUrl !== null && { clickUrl: job.clickUrl }),
    contractId: job.contractId,
    sizeIds: job.selectedSizeIds,
    placements: placementsOf(job.placements, files),
    overrides: Object.fromEntries(
      job.selectedSizeIds.flatMap((sizeId) => {
        const { scale = job.scale, ...own } = job.overrides?.[sizeId] ?? {};
        const override = { ...overrideOf(own, files), scale: scale === 1 ? undefined : scale };
        return isEmptyOverride(override) ? [] : [[sizeId, override]];
      }),
    ),
  };
}

function overrideOf(
  { copy = {}, placements = {}, variant, composition }: Schemas.ShownOverride,
  files: Files,
): DraftOverride {
  const texts = Object.fromEntries(
    TEXT_FIELDS.flatMap((field) => {
      const text = copy[field];
      return text === undefined ? [] : [[field, text]];
    }),
  );
  return { texts, placements: placementsOf(placements, files), variant: variant ?? null, composition };
}

/** Placements of the pictures that still exist. */
function placementsOf(shown: Schemas.ShownPlacements, files: Files): Placements {
  return Object.fromEntries(
    PICTURE_SLOT_IDS.flatMap((slot) => {
      const placement = placementOf(shown[slot]);
      return placement === null || files[slot] === undefined ? [] : [[slot, placement]];
    }),
  );
}

function placementOf(shown: Schemas.ShownPlacement | undefined): Placement | null {
  if (shown?.focalPoint !== undefined) return { focalPoint: shown.focalPoint };
  return shown?.keep === undefined ? null : { keep: shown.keep };
}
