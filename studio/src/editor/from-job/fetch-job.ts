import { NotFoundError } from "creative-packs";
import { SLOT_IDS, type SlotId } from "creative-packs-service/slots";
import { clientOf } from "#api/client.ts";
import type { Draft, DraftFile } from "../draft/draft.ts";
import { keepFile } from "../draft/file-bytes.ts";
import { fetchAsset } from "../files/assets-at-hand.tsx";
import { inspectFile } from "../files/inspect-file.ts";
import { draftFromJob } from "./draft-from-job.ts";

export interface FetchedJob {
  readonly draft: Draft;
  /** Whether every file of the job is there. */
  readonly isWhole: boolean;
}

/** The draft of an earlier job, with its files on this machine. Throws as the client library does. */
export async function fetchJob(workspaceId: string, draftId: string, jobId: string): Promise<FetchedJob> {
  const job = await clientOf(workspaceId).jobs.get(jobId);
  const named = SLOT_IDS.flatMap((slot) => {
    const assetId = job.assetIds[slot];
    return assetId === undefined ? [] : [{ slot, assetId }];
  });
  const fetched = await Promise.all(named.map((one) => fetchFile(workspaceId, draftId, one)));
  const found = fetched.filter((entry) => entry !== null);
  const files = Object.fromEntries(found);
  return { draft: draftFromJob(job, files), isWhole: found.length === named.length };
}

interface NamedAsset {
  readonly slot: SlotId;
  readonly assetId: string;
}

/** Null where the asset was deleted meanwhile. */
async function fetchFile(
  workspaceId: string,
  draftId: string,
  { slot, assetId }: NamedAsset,
): Promise<readonly [SlotId, DraftFile] | null> {
  try {
    const asset = await clientOf(workspaceId).assets.get(assetId);
    const inspected = await inspectFile(await fetchAsset(workspaceId, asset), asset.fileName);
    if (!inspected.ok) return null;
    await keepFile(draftId, inspected.file.sha256, inspected.kept);
    return [slot, inspected.file];
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
