import { setTimeout as delay } from "node:timers/promises";
import type { Fetch } from "../../../sdk/src/index.ts";

/** A faulty network, deterministic per seed. */

const FAULT_KINDS = ["dropped before", "dropped after", "slow", "429", "503", "truncated"] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface FaultyNetwork {
  readonly fetch: Fetch;
  /** Number of remaining faults. */
  readonly left: () => number;
}

/** Numbers from 0 to 1, deterministic per seed (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Probability of a fault per attempt while faults remain: 2⅓ attempts per call on average. */
const FAULT_SHARE = 0.7;
/** Fraction of slow responses that never arrive, so that the client times out. */
const HUNG_SHARE = 0.03;
const SLOW_MS = 300;

const refusal = (status: number, code: string, headers: Record<string, string>): Response =>
  Response.json(
    {
      ok: false,
      error: {
        code,
        message: "Injected.",
        httpStatus: status,
        requestId: "injected",
        details: { nextAction: "Wait.", safeToRetryUnchanged: true },
      },
      meta: { apiVersion: "2026-06-18", requestId: "injected" },
    },
    { status, headers },
  );

/** Waits until the client aborts, and then fails like `fetch`. */
const hang = (signal: AbortSignal | null | undefined): Promise<never> =>
  new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });

/** Truncates the body of a response: it ends early or errors. */
async function cut(response: Response, isSilent: boolean): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.byteLength === 0) throw new TypeError("terminated");
  const half = bytes.slice(0, Math.floor(bytes.byteLength / 2));
  const body = isSilent
    ? half
    : new ReadableStream({
        start: (controller) => controller.enqueue(half),
        pull: () => Promise.reject(new TypeError("terminated")),
      });
  return new Response(body, { status: response.status, headers: response.headers });
}

/** A network with a fixed number of faults. Injected faults are counted by kind in `counts`. */
export function faultyNetwork(seed: number, faults: number, counts: Map<FaultKind, number>): FaultyNetwork {
  const random = seededRandom(seed);
  let left = faults;

  /** Injects a fault. Empty responses, as to uploads, cannot be truncated, so they fail at once. */
  const inject = async (kind: FaultKind, url: string, init: RequestInit): Promise<Response> => {
    if (kind === "dropped before") throw new TypeError("fetch failed");
    if (kind === "429") {
      const reset = new Date(Date.now() + 50).toISOString();
      const isCounted = random() < 0.8;
      return refusal(
        429,
        "RATE_LIMITED",
        isCounted ? { "X-RateLimit-Reset": reset } : { "Retry-After": "1" },
      );
    }
    if (kind === "503") {
      return random() < 0.5
        ? refusal(503, "SERVICE_UNAVAILABLE", {})
        : new Response("<h1>Bad gateway</h1>", { status: 503 });
    }
    const response = await fetch(url, init);
    if (kind === "truncated") return cut(response, random() < 0.5);
    if (kind === "dropped after") {
      await response.arrayBuffer();
      throw new TypeError("fetch failed");
    }
    if (random() < HUNG_SHARE) return hang(init.signal);
    await delay(SLOW_MS);
    return response;
  };

  return {
    left: () => left,
    fetch: (url, init) => {
      if (left === 0 || random() >= FAULT_SHARE) return fetch(url, init);
      left -= 1;
      const kind = FAULT_KINDS[Math.floor(random() * FAULT_KINDS.length)] ?? "slow";
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      return inject(kind, url, init);
    },
  };
}
