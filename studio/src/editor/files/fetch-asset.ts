import type { Asset } from "creative-packs";
import { clientOf } from "#api/client.ts";

/** The bytes of an asset of the workspace, as the file that it was. Throws as the client library does. */
export async function fetchAsset(
  workspaceId: string,
  { assetId, mimeType }: Pick<Asset, "assetId" | "mimeType">,
  signal?: AbortSignal,
): Promise<Blob> {
  const bytes = await clientOf(workspaceId).assets.content(assetId, { signal });
  return new Blob([bytes], { type: mimeType ?? "" });
}
