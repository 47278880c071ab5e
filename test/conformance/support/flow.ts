import { randomUUID } from "node:crypto";
import {
  type CreatePack,
  CreativePacks,
  type Job,
  type LedgerEvent,
  type MimeType,
  PackFailedError,
  type Schemas,
  type SlotId,
} from "../../../sdk/src/index.ts";
import { type Answer, send } from "./client.ts";
import { exchange } from "./exchange.ts";
import { LOGO_SVG, photo } from "./files.ts";
import type { Service } from "./service.ts";

/**
 * Common first steps of clauses, through the client library. Bytes, completions and orders are sent directly, because
 * clauses assert their answers.
 */

/** A client without retries, so that failures fail the test. */
export const clientOf = (service: Service, key: string): CreativePacks =>
  new CreativePacks({ apiKey: key, baseUrl: service.origin, maxRetries: 0, fetch: exchange });

/** A file and its intent. */
export interface UploadRequest {
  readonly slotId: SlotId;
  readonly mimeType: MimeType;
  readonly bytes: Uint8Array;
  readonly fileName?: string;
  readonly width?: number;
  readonly height?: number;
}

export const newKey = (): string => randomUUID();

export function intentBody(request: UploadRequest) {
  return {
    slotId: request.slotId,
    fileName: request.fileName ?? "file.bin",
    mimeType: request.mimeType,
    byteLength: request.bytes.byteLength,
    ...(request.width === undefined ? {} : { width: request.width }),
    ...(request.height === undefined ? {} : { height: request.height }),
  };
}

export const createIntent = async (
  service: Service,
  key: string,
  request: UploadRequest,
): Promise<Schemas.UploadIntent> => clientOf(service, key).uploads.create(intentBody(request));

/** Uploads the bytes as the intent describes; does not check the answer. */
export const sendBytes = (
  service: Service,
  key: string,
  { url, method, headers }: Schemas.UploadIntent,
  bytes: Uint8Array,
): Promise<Answer> => {
  const address = new URL(url);
  return send(service, method, address.pathname + address.search, { key, bytes, headers: { ...headers } });
};

/** Completes an upload; does not check the answer. */
export const complete = (
  service: Service,
  key: string,
  { uploadId, assetId }: Schemas.UploadIntent,
  byteLength: number,
  idempotencyKey = newKey(),
): Promise<Answer> =>
  send(service, "POST", `/api/v1/assets/uploads/${uploadId}/complete`, {
    key,
    json: { assetId, byteLength },
    idempotencyKey,
  });

export const LOGO: UploadRequest = {
  slotId: "logo",
  mimeType: "image/svg+xml",
  bytes: LOGO_SVG,
  fileName: "logo.svg",
  width: 240,
  height: 80,
};

/** Uploads a file as a new asset, even if the same bytes exist. Returns its id. */
export async function uploadAsset(
  service: Service,
  key: string,
  slot: SlotId,
  bytes: Uint8Array,
): Promise<string> {
  return (await clientOf(service, key).assets.upload(bytes, { slot, again: true })).assetId;
}

export const uploadLogo = (service: Service, key: string): Promise<string> =>
  uploadAsset(service, key, "logo", LOGO_SVG);

export const uploadMedia = async (service: Service, key: string): Promise<string> =>
  uploadAsset(service, key, "media", await photo(900, 600));

/** An order, valid or not. */
export interface JobRequest {
  readonly contractId: string;
  readonly selectedSizeIds: readonly string[];
  readonly assetIds: Readonly<Record<string, string>>;
  readonly [member: string]: unknown;
}

/** Orders a pack; does not check the answer. */
export const createJob = (
  service: Service,
  key: string,
  json: JobRequest,
  idempotencyKey = newKey(),
): Promise<Answer> => send(service, "POST", "/api/v1/jobs", { key, json, idempotencyKey });

/** Interval between polls of a job. */
const POLL_MS = 25;
/** Timeout, many times the duration of a job. */
const JOB_MS_MAX = 60_000;

/** A job once it has ended, in any status. */
export async function endOfJob(service: Service, key: string, jobId: string): Promise<Job> {
  const pack = await clientOf(service, key).packs.get(jobId);
  const waiting = pack.wait({ pollMs: POLL_MS, signal: AbortSignal.timeout(JOB_MS_MAX) });
  return waiting.then(
    () => pack.job,
    (thrown) => {
      if (thrown instanceof PackFailedError) return thrown.job;
      throw thrown;
    },
  );
}

/** A finished job with its files. */
export async function finishJob(
  service: Service,
  key: string,
  request: CreatePack,
): Promise<Schemas.SucceededJob> {
  const pack = await clientOf(service, key).packs.create(request);
  const { job } = await pack.wait({ pollMs: POLL_MS, signal: AbortSignal.timeout(JOB_MS_MAX) });
  if (job.status !== "succeeded") throw new Error(`the job is ${job.status}`);
  return job;
}

/** A finished job with a new logo. */
export async function finishLogoPack(
  service: Service,
  key: string,
  selectedSizeIds: readonly string[] = ["iab-300x50"],
): Promise<Schemas.SucceededJob> {
  const logo = await uploadLogo(service, key);
  return finishJob(service, key, {
    contractId: "display.v1",
    selectedSizeIds: [...selectedSizeIds],
    assetIds: { logo },
  });
}

export const creditsOf = async (service: Service, key: string): Promise<number> =>
  (await clientOf(service, key).balance.get()).credits.available;

/** All ledger events of the workspace, newest first, through the cursor. */
export async function ledgerOf(service: Service, key: string): Promise<LedgerEvent[]> {
  const events: LedgerEvent[] = [];
  for await (const event of clientOf(service, key).usage.list({ limit: 100 })) events.push(event);
  return events;
}
