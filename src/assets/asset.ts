import type { AssetBody, Rejection } from "../contract/schemas/asset.ts";
import type { MimeType, SlotId } from "../contract/slots.ts";
import { toTimestamp, toTimestampOrNull } from "../platform/clock.ts";

/** A workspace's file in a slot. Times are Unix milliseconds. */
export interface Asset {
  readonly assetId: string;
  readonly workspaceId: string;
  readonly slotId: SlotId;
  readonly status: "processing" | "ready" | "rejected";
  readonly fileName: string;
  readonly mimeType: MimeType;
  readonly byteLength: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly sha256: string | null;
  readonly rejection: Rejection | null;
  /** Where the bytes are; names nothing before bytes arrive, empty once they were removed. */
  readonly objectKey: string;
  readonly createdAt: number;
  readonly readyAt: number | null;
  readonly deletedAt: number | null;
}

/** Everything stored for an asset lies under this prefix. */
export const objectPrefixOf = (workspaceId: string, assetId: string): string =>
  `workspaces/${workspaceId}/assets/${assetId}`;

/** The asset as its workspace sees it; where its bytes are kept stays inside. */
export const presentAsset = (asset: Asset): AssetBody => ({
  assetId: asset.assetId,
  slotId: asset.slotId,
  status: asset.status,
  fileName: asset.fileName,
  mimeType: asset.mimeType,
  byteLength: asset.byteLength,
  width: asset.width,
  height: asset.height,
  sha256: asset.sha256,
  rejection: asset.rejection,
  createdAt: toTimestamp(asset.createdAt),
  readyAt: toTimestampOrNull(asset.readyAt),
  deletedAt: toTimestampOrNull(asset.deletedAt),
});
