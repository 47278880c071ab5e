import { queryOptions } from "@tanstack/react-query";
import { queryClient } from "#api/queries.ts";
import { type KeptFile, readFile, writeFile } from "./kept-draft.ts";

/** Bytes and small picture of a file of the draft; null where the browser has lost them. From this machine alone. */
export const fileQuery = (draftId: string, sha256: string) =>
  queryOptions({
    queryKey: ["draft-file", draftId, sha256],
    queryFn: () => readFile(draftId, sha256),
    networkMode: "always",
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

/** Keeps a file with the draft. Resolves to whether the browser keeps it beyond this page. */
export async function keepFile(draftId: string, sha256: string, file: KeptFile): Promise<boolean> {
  queryClient.setQueryData(fileQuery(draftId, sha256).queryKey, file);
  return writeFile(draftId, sha256, file).then(
    () => true,
    () => false,
  );
}

/** Throws where the file is no longer there. */
export async function bytesOf(draftId: string, sha256: string): Promise<Blob> {
  const file = await queryClient.ensureQueryData(fileQuery(draftId, sha256));
  if (file === null) throw new LostFileError(sha256);
  return file.bytes;
}

/** The browser no longer has a file of the draft. */
export class LostFileError extends Error {}
