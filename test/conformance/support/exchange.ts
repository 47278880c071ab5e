import { expect } from "vitest";
import { recordAnswer } from "./coverage.ts";
import { recordExchange } from "./traffic.ts";

const API_VERSION = "2026-06-18";
/** Statuses for which the constructor of `Response` accepts no body. */
const WITHOUT_BODY = [204, 304];

/**
 * `fetch` for every client of these tests: checks API §2.3, §7.1, §7.2 on every answer, and records the exchange for
 * the assertions at the end. The answer's body can still be read, once.
 */
export async function exchange(address: string, init: RequestInit): Promise<Response> {
  const response = await fetch(address, { ...init, redirect: "manual" });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const { status, headers } = response;
  const { pathname, search } = new URL(address);
  const method = init.method ?? "GET";
  const json = jsonOf(headers, bytes);
  recordAnswer(method, pathname, status);
  recordExchange({ method, path: pathname + search, init, response, json });
  if (pathname.startsWith("/api/"))
    expectEnvelope(response, json, new Headers(init.headers).get("X-Request-ID"));
  return new Response(WITHOUT_BODY.includes(status) ? null : bytes, { status, headers });
}

/** Parsed JSON; null if the content type is not JSON. */
export function jsonOf(headers: Headers, bytes: Uint8Array) {
  const isJson = headers.get("Content-Type")?.startsWith("application/json") ?? false;
  return isJson ? JSON.parse(new TextDecoder().decode(bytes)) : null;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are asserted member by member, whatever they hold.
function expectEnvelope({ status, headers }: Response, body: any, offered: string | null): void {
  const requestId = headers.get("X-Request-ID");
  expect(requestId, "every answer carries X-Request-ID").toBeTruthy();
  if (offered !== null && /^[\w.-]{1,128}$/.test(offered)) expect(requestId).toBe(offered);
  if (!body) return;
  expect(body.meta).toEqual({ apiVersion: API_VERSION, requestId });
  if (status < 400) {
    expect(body.ok).toBe(true);
    expect(body.data).toBeTypeOf("object");
    return;
  }
  expect(body.ok).toBe(false);
  const { error } = body;
  expect(error.code).toMatch(/^[A-Z][A-Z_]+$/);
  expect(error.message.length).toBeGreaterThan(0);
  expect(error.httpStatus).toBe(status);
  expect(error.requestId).toBe(requestId);
  expect(error.details.nextAction.length).toBeGreaterThan(0);
  expect(error.details.safeToRetryUnchanged).toBeTypeOf("boolean");
}
