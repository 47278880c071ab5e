import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { log } from "#platform/log/log.ts";
import worker from "../../src/worker.ts";
import { describedOperations } from "../support/access.ts";
import { readyPack } from "../support/artifacts.ts";
import { shareOf } from "../support/shares.ts";
import { call, createWorkspace } from "../support/workspace.ts";

/** A client that disconnects in the middle of a body must not be logged as a failure of the service. */

/** Half a JSON object, then a broken connection. */
const brokenOff = () => {
  let isFirst = true;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (isFirst) controller.enqueue(new TextEncoder().encode('{"contractId":'));
      else controller.error(new Error("Network connection lost."));
      isFirst = false;
    },
  });
};

interface Ended {
  readonly status: number;
  readonly code: string | undefined;
  readonly isSafe: boolean | undefined;
}

async function hangUp(method: string, path: string, headers: Record<string, string>): Promise<Ended> {
  const context = createExecutionContext();
  const request = new Request(`https://packs.example${path}`, { method, headers, body: brokenOff() });
  const response = await worker.fetch(request, env, context);
  const text = await response.text();
  await waitOnExecutionContext(context);
  const error = text === "" ? undefined : JSON.parse(text).error;
  return { status: response.status, code: error?.code, isSafe: error?.details?.safeToRetryUnchanged };
}

const INCOMPLETE: Ended = { status: 400, code: "BODY_INCOMPLETE", isSafe: true };
const JSON_TYPE = { "Content-Type": "application/json", Origin: "https://packs.example" };

it("an interrupted body is 400 BODY_INCOMPLETE on every route that accepts JSON, with or without a key", async () => {
  // Uses a valid share link, because an invalid link is refused before its body is read.
  const { token } = await shareOf(await readyPack());
  const failure = vi.spyOn(log, "failure");
  const line = vi.spyOn(log, "line");
  const routes = (await describedOperations()).filter(({ takesJson }) => takesJson);
  expect(routes.length).toBeGreaterThan(10);
  for (const { method, path: described } of routes) {
    const path = described.replace(/(?<=\/shared\/)[^/]+/, token);
    for (const length of [{}, { "Content-Length": "500" }]) {
      line.mockClear();
      const ended = await hangUp(method, path, { ...JSON_TYPE, ...length });
      expect(ended, `${method} ${path} ${JSON.stringify(length)}`).toEqual(INCOMPLETE);
      const lines = line.mock.calls.map(([logged]) => [logged.event, logged.status, logged.code]);
      expect(lines, path).toEqual([["request", 400, "BODY_INCOMPLETE"]]);
    }
  }
  expect(failure.mock.calls).toEqual([]);
});

it("an interrupted upload of bytes is not logged as a failure", async () => {
  const failure = vi.spyOn(log, "failure");
  const { secret } = await createWorkspace();
  const { data } = (
    await call("POST", "/api/v1/assets/uploads", {
      secret,
      headers: { "Idempotency-Key": "broken-off" },
      body: { slotId: "logo", fileName: "a.svg", mimeType: "image/svg+xml", byteLength: 500 },
    })
  ).body;
  const { pathname, search } = new URL(data.url);
  for (const path of [`/api/v1/assets/uploads/${data.uploadId}/object`, pathname + search]) {
    for (const length of [{}, { "Content-Length": "500" }]) {
      const headers = { Authorization: `Bearer ${secret}`, "Content-Type": "image/svg+xml", ...length };
      const ended = await hangUp("PUT", path, headers);
      expect(ended, path).toEqual({ status: 422, code: "UPLOAD_MISMATCH", isSafe: true });
    }
  }
  expect(failure.mock.calls).toEqual([]);
});
