import { REDUCIBLE_PX_MAX } from "creative-packs-service/renderer/size-limit";
import type { HeicRequest } from "./heic-worker.ts";

/** A phone decodes its own photos within a few seconds. A file that takes longer than this counts as damaged. */
const DECODING_MS_MAX = 60_000;

/**
 * Converts HEIC to JPEG, or to PNG if it has transparency; null if the file is damaged or the decoder cannot be loaded.
 */
export const convertHeic = (file: Blob): Promise<Blob | null> =>
  new Promise((resolve) => {
    const worker = new Worker(new URL("./heic-worker.ts", import.meta.url), { type: "module" });
    const end = (made: Blob | null): void => {
      clearTimeout(watch);
      worker.terminate();
      resolve(made);
    };
    const watch = setTimeout(() => end(null), DECODING_MS_MAX);
    worker.onmessage = ({ data }: MessageEvent<Blob | null>) => end(data);
    worker.onerror = () => end(null);
    worker.postMessage({ file, pixelsMax: REDUCIBLE_PX_MAX } satisfies HeicRequest);
  });
