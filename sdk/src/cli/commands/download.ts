import { createWriteStream } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  ConnectionError,
  type CreativePacks,
  CreativePacksError,
  type Pack,
  type SucceededJob,
} from "../../index.ts";
import { type Context, connect } from "../context.ts";
import { cannotWrite, writeWhole } from "../write-whole.ts";

/** Downloads the files of an order, or its ZIP. Waits until the order is finished. */
export async function download(context: Context, jobId: string, out: string, isZip: boolean): Promise<void> {
  const client = await connect(context);
  const pack = await client.packs.get(jobId, { signal: context.signal });
  await waitFor(context, pack);
  if (!isZip) return saveFiles(context, pack, out);
  if (pack.job.status === "succeeded") await saveZip(context, client, pack.job, out);
}

/** Waits for the pack with a progress bar. */
export async function waitFor({ terminal, signal }: Context, pack: Pack): Promise<void> {
  try {
    await pack.wait({
      signal,
      onProgress: ({ completed, total }) =>
        terminal.progress(total === 0 ? 0 : completed / total, `${completed} of ${total} sizes`),
    });
  } finally {
    terminal.endProgress();
  }
}

/** Saves the files of a pack and prints their location. */
export async function saveFiles(
  { terminal, signal }: Context,
  pack: Pack,
  out: string,
  more: { readonly paidCredits?: number } = {},
): Promise<void> {
  const saved = await pack.download(out, {
    signal,
    onProgress: ({ doneFiles, totalFiles }) =>
      terminal.progress(doneFiles / totalFiles, `${doneFiles} of ${totalFiles} files`),
  });
  const files = saved.map(({ file, path }) => ({
    fileName: file.fileName,
    byteLength: file.byteLength,
    path,
  }));
  terminal.result({ jobId: pack.id, folder: out, ...more, files }, [
    ...files.map(({ path }) => path ?? ""),
    terminal.paint.good(`${files.length} files are in ${out}.`),
  ]);
}

async function saveZip(
  { terminal, signal }: Context,
  client: CreativePacks,
  { jobId, artifactId }: SucceededJob,
  out: string,
): Promise<void> {
  const { url, fileName } = await client.artifacts.getDownload(artifactId, { signal });
  const path = join(out, basename(fileName));
  const stream = await client.artifacts.openLink(url, { signal });
  try {
    await mkdir(out, { recursive: true });
    await writeWhole(path, (part) =>
      pipeline(Readable.from(stream), createWriteStream(part, { flags: "wx" }), { signal }),
    );
  } catch (error) {
    throw zipError(path, error);
  }
  const { size } = await stat(path);
  terminal.result({ jobId, path, byteLength: size }, [path]);
}

function zipError(path: string, error: unknown): unknown {
  if (error instanceof CreativePacksError || !(error instanceof Error)) return error;
  // Only system errors have an `errno`; other errors come from the connection.
  if ("errno" in error) return cannotWrite(path, error);
  return new ConnectionError(
    `The download of the ZIP was interrupted: ${error.message}. Run the same command again.`,
    {
      cause: error,
    },
  );
}
