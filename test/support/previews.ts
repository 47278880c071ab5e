import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type { z } from "zod";
import { errorEnvelope } from "../../src/contract/schemas/envelope.ts";
import { previewQuotaSchema, previewSchema } from "../../src/contract/schemas/preview.ts";
import { newId } from "../../src/platform/ids.ts";
import worker from "../../src/worker.ts";
import { type Client, packOf } from "./jobs.ts";
import { call } from "./workspace.ts";

export type PreviewBody = z.infer<typeof previewSchema>;
export type QuotaBody = z.infer<typeof previewQuotaSchema>;

export interface PreviewAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Bindings and variables that stand in for the origin's own. */
type Changes = Readonly<Record<string, unknown>>;

async function fetchWith(request: Request, changes: Changes): Promise<PreviewAnswer> {
  const context = createExecutionContext();
  const response = await worker.fetch(request, { ...env, ...changes }, context);
  const body: unknown = await response.json();
  await waitOnExecutionContext(context);
  return { status: response.status, headers: response.headers, body };
}

/** The body of a preview of one small size from the logo. */
export const previewOf = (client: Pick<Client, "logoId">, changes: Record<string, unknown> = {}) =>
  packOf(client, changes);

/** Sends `POST /previews` to an origin that may differ from the configured one. */
export function postPreview(
  secret: string,
  body: unknown,
  idempotencyKey: string = newId(),
  changes: Changes = {},
): Promise<PreviewAnswer> {
  return fetchWith(
    new Request("https://packs.example/api/v1/previews", {
      method: "POST",
      headers: {
        Authorization: `Bearer ${secret}`,
        "Content-Type": "application/json",
        "Idempotency-Key": idempotencyKey,
      },
      body: JSON.stringify(body),
    }),
    changes,
  );
}

/** Sends `GET /previews/quota`. */
export const getQuota = (secret: string, changes: Changes = {}): Promise<PreviewAnswer> =>
  fetchWith(
    new Request("https://packs.example/api/v1/previews/quota", {
      headers: { Authorization: `Bearer ${secret}` },
    }),
    changes,
  );

/** The preview of a success, held against its published schema. */
export function previewIn(answer: PreviewAnswer): PreviewBody {
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return previewSchema.strict().parse((answer.body as { data: unknown }).data);
}

/** The allowance as the quota route tells it. */
export async function quotaOf(secret: string, changes: Changes = {}): Promise<QuotaBody> {
  const answer = await getQuota(secret, changes);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return previewQuotaSchema.strict().parse((answer.body as { data: unknown }).data);
}

export const errorIn = (answer: PreviewAnswer) => errorEnvelope.parse(answer.body).error;

/** A second key of the workspace. */
export async function secondKey(secret: string, scopes: readonly string[]): Promise<string> {
  const answer = await call("POST", "/api/v1/api-keys", { secret, body: { name: "second", scopes } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data.secret;
}

/** The headers of both routes agree with a quota body. */
export function expectPreviewHeaders({ headers }: PreviewAnswer, quota: QuotaBody): void {
  const { product, burst, protection } = quota;
  expect(headers.get("X-Request-ID")).toBeTruthy();
  expect(headers.get("X-Preview-Protection")).toBe(protection);
  expect(headers.get("X-Preview-Quota-Limit")).toBe(String(product.limit));
  expect(headers.get("X-Preview-Quota-Used")).toBe(String(product.used));
  expect(headers.get("X-Preview-Quota-Remaining")).toBe(String(product.remaining));
  expect(headers.get("X-Preview-Quota-Reset")).toBe(product.resetsAt);
  const isExhausted = product.remaining === 0 || burst.remaining === 0;
  expect(headers.has("Retry-After")).toBe(isExhausted);
}
