import { expect } from "vitest";
import { recordAnswer } from "./coverage.ts";
import type { Service } from "./service.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, or null when the answer is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are asserted member by member, whatever they hold.
  readonly body: any;
  readonly bytes: Uint8Array;
}

export interface Call {
  readonly key?: string;
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly bytes?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly idempotencyKey?: string;
}

const API_VERSION = "2026-06-18";

/** Sends a request and checks what API §2.3, §7.1, §7.2 say of every answer. */
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
  const response = await fetch(new URL(path, service.origin), { method, headers, body, redirect: "manual" });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json") ?? false;
  const answer: Answer = {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(new TextDecoder().decode(bytes)) : null,
    bytes,
  };
  recordAnswer(method, path, response.status);
  if (path.startsWith("/api/")) expectEnvelope(answer, call);
  return answer;
}

function expectEnvelope(answer: Answer, call: Call): void {
  const requestId = answer.headers.get("X-Request-ID");
  expect(requestId, "every answer carries X-Request-ID").toBeTruthy();
  const offered = call.headers?.["X-Request-ID"];
  if (offered !== undefined && /^[\w.-]{1,128}$/.test(offered)) expect(requestId).toBe(offered);
  if (!answer.body) return;
  expect(answer.body.meta).toEqual({ apiVersion: API_VERSION, requestId });
  if (answer.status < 400) {
    expect(answer.body.ok).toBe(true);
    expect(answer.body.data).toBeTypeOf("object");
    return;
  }
  expect(answer.body.ok).toBe(false);
  const { error } = answer.body;
  expect(error.code).toMatch(/^[A-Z][A-Z_]+$/);
  expect(error.message.length).toBeGreaterThan(0);
  expect(error.httpStatus).toBe(answer.status);
  expect(error.requestId).toBe(requestId);
  expect(error.details.nextAction.length).toBeGreaterThan(0);
  expect(error.details.safeToRetryUnchanged).toBeTypeOf("boolean");
}

/** The headers of a rate-limited answer (API §4.7). */
export function expectRateLimitHeaders(answer: Answer): void {
  const limit = Number(answer.headers.get("X-RateLimit-Limit"));
  const remaining = Number(answer.headers.get("X-RateLimit-Remaining"));
  expect(Number.isInteger(limit) && limit > 0).toBe(true);
  expect(Number.isInteger(remaining) && remaining >= 0 && remaining < limit + 1).toBe(true);
  expect(answer.headers.get("X-RateLimit-Reset")).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
}
