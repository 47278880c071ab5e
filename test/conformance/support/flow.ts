import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { type Answer, send } from "./client.ts";
import { LOGO_SVG, photo } from "./files.ts";
import type { Service } from "./service.ts";

/** Steps that many clauses begin with, each through the public routes. */

export interface UploadRequest {
  readonly slotId: string;
  readonly mimeType: string;
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

/** Creates an upload intent; expects 201. */
export async function createIntent(service: Service, key: string, request: UploadRequest): Promise<Answer> {
  const answer = await send(service, "POST", "/api/v1/assets/uploads", {
    key,
    json: intentBody(request),
    idempotencyKey: newKey(),
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer;
}

/** Sends the bytes as the intent says; the answer is not checked. */
export const sendBytes = (
  service: Service,
  key: string,
  intent: Answer,
  bytes: Uint8Array,
): Promise<Answer> => {
  const { url, method, headers } = intent.body.data;
  const address = new URL(url);
  return send(service, method, address.pathname + address.search, { key, bytes, headers });
};

export const complete = (
  service: Service,
  key: string,
  intent: Answer,
  byteLength: number,
  idempotencyKey = newKey(),
): Promise<Answer> =>
  send(service, "POST", `/api/v1/assets/uploads/${intent.body.data.uploadId}/complete`, {
    key,
    json: { assetId: intent.body.data.assetId, byteLength },
    idempotencyKey,
  });

/** The whole upload; returns the ready asset's id. */
export async function uploadAsset(service: Service, key: string, request: UploadRequest): Promise<string> {
  const intent = await createIntent(service, key, request);
  expect((await sendBytes(service, key, intent, request.bytes)).status).toBe(204);
  const completed = await complete(service, key, intent, request.bytes.byteLength);
  expect(completed.status, JSON.stringify(completed.body)).toBe(200);
  expect(completed.body.data.status).toBe("ready");
  return completed.body.data.assetId;
}

export const LOGO: UploadRequest = {
  slotId: "logo",
  mimeType: "image/svg+xml",
  bytes: LOGO_SVG,
  fileName: "logo.svg",
  width: 240,
  height: 80,
};

export const uploadLogo = (service: Service, key: string): Promise<string> => uploadAsset(service, key, LOGO);

export const uploadMedia = async (service: Service, key: string): Promise<string> =>
  uploadAsset(service, key, {
    slotId: "media",
    mimeType: "image/jpeg",
    bytes: await photo(900, 600),
    fileName: "photo.jpg",
    width: 900,
    height: 600,
  });

export interface JobRequest {
  readonly contractId: string;
  readonly selectedSizeIds: readonly string[];
  readonly assetIds: Readonly<Record<string, string>>;
  readonly [member: string]: unknown;
}

export const createJob = (
  service: Service,
  key: string,
  json: JobRequest,
  idempotencyKey = newKey(),
): Promise<Answer> => send(service, "POST", "/api/v1/jobs", { key, json, idempotencyKey });

/** Polls until the job is terminal; bounded. */
export async function pollJob(service: Service, key: string, jobId: string): Promise<Answer> {
  for (let poll = 0; poll < 1_600; poll += 1) {
    const answer = await send(service, "GET", `/api/v1/jobs/${jobId}`, { key });
    expect(answer.status).toBe(200);
    if (["succeeded", "failed", "canceled"].includes(answer.body.data.status)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`job ${jobId} did not end`);
}

/** A finished job with its files. */
export async function finishJob(service: Service, key: string, json: JobRequest): Promise<Answer> {
  const created = await createJob(service, key, json);
  expect(created.status, JSON.stringify(created.body)).toBe(202);
  const ended = await pollJob(service, key, created.body.data.jobId);
  expect(ended.body.data.status, JSON.stringify(ended.body.data.failure)).toBe("succeeded");
  return ended;
}

export const creditsOf = async (service: Service, key: string): Promise<number> =>
  (await send(service, "GET", "/api/v1/balance", { key })).body.data.credits.available;

/** All ledger events of the workspace, newest first, through the cursor. */
export async function ledgerOf(service: Service, key: string): Promise<Answer["body"][]> {
  const events: Answer["body"][] = [];
  let before = "";
  for (let page = 0; page < 100; page += 1) {
    const answer = await send(service, "GET", `/api/v1/usage?limit=100${before}`, { key });
    expect(answer.status).toBe(200);
    events.push(...answer.body.data.items);
    if (answer.body.data.nextBefore === null) return events;
    before = `&before=${answer.body.data.nextBefore}`;
  }
  throw new Error("the ledger has no end");
}
