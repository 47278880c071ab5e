import { expect } from "vitest";
import { exchange, jsonOf } from "./exchange.ts";
import type { Service } from "./service.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, or null if the answer is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are asserted member by member, whatever they hold.
  readonly body: any;
  readonly bytes: Uint8Array;
}

export interface Call {
  readonly key?: string;
  readonly json?: unknown;
  readonly bytes?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly idempotencyKey?: string;
}

/**
 * Sends a request without the client library, because clauses assert what the library hides: statuses, headers,
 * refusals, and requests that it would never send. Preparation uses the library; see flow.ts.
 */
export async function send(service: Service, method: string, path: string, call: Call = {}): Promise<Answer> {
  const headers = new Headers(call.headers);
  if (call.key !== undefined) headers.set("Authorization", `Bearer ${call.key}`);
  if (call.idempotencyKey !== undefined) headers.set("Idempotency-Key", call.idempotencyKey);
  let body: BodyInit | null = null;
  if (call.json !== undefined) {
    headers.set("Content-Type", headers.get("Content-Type") ?? "application/json");
    body = JSON.stringify(call.json);
  } else if (call.bytes) {
    body = new Uint8Array(call.bytes);
  }
  const response = await exchange(new URL(path, service.origin).href, { method, headers, body });
  const bytes = new Uint8Array(await response.arrayBuffer());
  return {
    status: response.status,
    headers: response.headers,
    body: jsonOf(response.headers, bytes),
    bytes,
  };
}

/** Checks the rate-limit headers of an answer (API §4.7). */
export function expectRateLimitHeaders(answer: Answer): void {
  const limit = Number(answer.headers.get("X-RateLimit-Limit"));
  const remaining = Number(answer.headers.get("X-RateLimit-Remaining"));
  expect(Number.isInteger(limit) && limit > 0).toBe(true);
  expect(Number.isInteger(remaining) && remaining >= 0 && remaining < limit + 1).toBe(true);
  expect(answer.headers.get("X-RateLimit-Reset")).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
}
