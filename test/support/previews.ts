import { expect } from "vitest";
import type { z } from "zod";
import { errorEnvelope } from "#api/schemas/envelope.ts";
import { previewQuotaSchema, previewSchema } from "#api/schemas/preview.ts";
import { newId } from "#platform/ids.ts";
import { type Client, packOf } from "./jobs.ts";
import { type Answer, type Call, call } from "./workspace.ts";

export type PreviewBody = z.infer<typeof previewSchema>;
export type QuotaBody = z.infer<typeof previewQuotaSchema>;

export type PreviewAnswer = Pick<Answer, "status" | "headers" | "body">;

/** Overrides of the origin's settings. */
type Changes = Call["settings"];

/** The body of a preview of one small size from the logo. */
export const previewOf = (client: Pick<Client, "logoId">, changes: Record<string, unknown> = {}) =>
  packOf(client, changes);

/** Sends `POST /previews` to an origin with overridden settings. */
export const postPreview = (
  secret: string,
  body: unknown,
  idempotencyKey: string = newId(),
  settings: Changes = {},
): Promise<Answer> =>
  call("POST", "/api/v1/previews", {
    secret,
    body,
    headers: { "Idempotency-Key": idempotencyKey },
    settings,
  });

/** The preview of a success, validated against its published schema. */
export function previewIn(answer: PreviewAnswer): PreviewBody {
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return previewSchema.strict().parse(answer.body.data);
}

/** The allowance from the quota route. */
export async function quotaOf(secret: string, changes: Changes = {}): Promise<QuotaBody> {
  const answer = await call("GET", "/api/v1/previews/quota", { secret, settings: changes });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return previewQuotaSchema.strict().parse(answer.body.data);
}

export const errorIn = (answer: PreviewAnswer) => errorEnvelope.parse(answer.body).error;

/** A second key of the workspace. */
export async function secondKey(secret: string, scopes: readonly string[]): Promise<string> {
  const answer = await call("POST", "/api/v1/api-keys", { secret, body: { name: "second", scopes } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data.secret;
}

/** Expects the preview headers of a response to match the body of the quota route. */
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
