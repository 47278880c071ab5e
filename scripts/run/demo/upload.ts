import { basename } from "node:path";
import type { CreativePacks } from "../../../sdk/src/index.ts";
import { inRoot } from "../../local/paths.ts";
import { formatBytes } from "./figures.ts";
import type { SampleFile } from "./packs.ts";
import { createProgressBar } from "./progress-bar.ts";

/** Uploads a file of samples/ into a slot, with a bar for its bytes. Returns the id of the ready asset. */
export async function uploadSample(client: CreativePacks, { slot, file }: SampleFile): Promise<string> {
  const bar = createProgressBar(`${slot} ${basename(file)}`);
  let isSent = false;
  const { assetId, byteLength } = await client.assets.upload(inRoot(`samples/${file}`), {
    slot,
    onProgress: ({ sentBytes, totalBytes }) => {
      isSent = true;
      bar.show(sentBytes, totalBytes, `${formatBytes(sentBytes)} of ${formatBytes(totalBytes)}`);
    },
  });
  bar.end(`${formatBytes(byteLength ?? 0)}, ${isSent ? "ready" : "known already, not sent again"}`);
  return assetId;
}
