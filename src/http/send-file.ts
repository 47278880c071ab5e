import type { Context } from "hono";
import { openVerified, type StoredFile, verifyFile } from "../artifacts/stored-file.ts";
import type { AppEnv } from "./context.ts";
import { sendDownload } from "./downloads.ts";
import { acceptedValue } from "./envelope.ts";

/** Sends a stored file after it was read whole and found true; 409 FILE_CORRUPT otherwise. */
export async function sendFile(c: Context<AppEnv>, bucket: R2Bucket, file: StoredFile): Promise<Response> {
  const verified = acceptedValue(await verifyFile(bucket, file));
  const bytes = acceptedValue(await openVerified(bucket, verified));
  return sendDownload(c, file, bytes);
}
