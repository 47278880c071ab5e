import { expect } from "vitest";
import type { z } from "zod";
import { savedBrandSchema } from "#api/schemas/brand.ts";
import { newId } from "#platform/ids.ts";
import { call } from "./workspace.ts";

export type BrandBody = z.infer<typeof savedBrandSchema>;

export const postBrand = (secret: string, body: unknown, idempotencyKey: string = newId()) =>
  call("POST", "/api/v1/brands", { secret, body, headers: { "Idempotency-Key": idempotencyKey } });

export const brandIn = (answer: { body: unknown }): BrandBody =>
  savedBrandSchema.strict().parse((answer.body as { data: unknown }).data);

/** Saves a brand; fails the test if it is refused. */
export async function savedBrand(secret: string, body: object): Promise<BrandBody> {
  const answer = await postBrand(secret, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return brandIn(answer);
}
