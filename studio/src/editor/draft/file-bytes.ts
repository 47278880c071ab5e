import { queryOptions } from "@tanstack/react-query";
import { queryClient } from "#api/queries.ts";
import { readFile, type StoredFile, writeFile } from "./draft-storage.ts";

/** Bytes and thumbnail of a draft's file; null if the browser has lost them. Reads only this browser's storage. */
export const fileQuery = (draftId: string, sha256: string) =>
  queryOptions({
    queryKey: ["draft-file", draftId, sha256],
    queryFn: () => readFile(draftId, sha256),
    networkMode: "always",
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

/** Stores a file with the draft. Resolves to false if the file is only kept until the page is left. */
export async function keepFile(draftId: string, sha256: string, file: StoredFile): Promise<boolean> {
  queryClient.setQueryData(fileQuery(draftId, sha256).queryKey, file);
  return writeFile(draftId, sha256, file).then(
    () => true,
    () => false,
  );
}

/** Bytes of a draft's file. Throws a `LostFileError` if the browser has lost them. */
export async function bytesOf(draftId: string, sha256: string): Promise<Blob> {
  const file = await queryClient.ensureQueryData(fileQuery(draftId, sha256));
  if (file === null) throw new LostFileError(sha256);
  return file.bytes;
}

/** The browser no longer has a file of the draft. */
export class LostFileError extends Error {}
