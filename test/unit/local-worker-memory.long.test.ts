import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterEach, expect, it, vi } from "vitest";
import { SMALL_MEMORY } from "../../scripts/local/worker.ts";

/**
 * Isolates of `npm run dev` must collect the garbage of ended requests early. By default, V8 collects old objects only
 * after tens of megabytes, and there are about forty isolates.
 */

const REQUESTS = 16;
/** Maximum heap size: about 1 MB in use, plus garbage since the last collection and from the next request. */
const HEAP_BYTES_MAX = 12_000_000;

/** A worker whose requests each allocate about a megabyte of objects, which become old and are then released. */
const LEAVING_OBJECTS = `
const recent = [];
export default {
  async fetch() {
    for (let turn = 0; turn < 2000; turn += 1) {
      recent.push(await new Response("x".repeat(40) + turn).text(), new Array(60).fill(turn));
      if (recent.length > 2000) recent.splice(0, 1000);
    }
    return new Response();
  },
};`;

const running: Miniflare[] = [];

async function startWorker() {
  const worker = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: LEAVING_OBJECTS,
      compatibilityDate: "2026-11-01",
      port: 0,
      inspectorPort: 0,
      // Discards the runtime's log.
      handleStructuredLogs: () => undefined,
    }),
  );
  running.push(worker);
  const { origin } = await worker.ready;
  return { origin, inspector: await worker.getInspectorURL() };
}

/** Reads the heap bytes in use in the worker's isolate, as V8 counts them. */
async function heapReader(inspector: URL) {
  const socket = new WebSocket(new URL("/core:user:", inspector).href);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve, { once: true });
    socket.addEventListener("error", reject, { once: true });
  });
  return async (): Promise<number> => {
    const answer = new Promise<MessageEvent>((resolve) => {
      socket.addEventListener("message", resolve, { once: true });
    });
    socket.send(JSON.stringify({ id: 1, method: "Runtime.getHeapUsage" }));
    return JSON.parse((await answer).data).result.usedSize;
  };
}

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const worker of running.splice(0)) await worker.dispose();
});

it(`a worker's heap is at most ${HEAP_BYTES_MAX / 1_000_000} MB after each of ${REQUESTS} requests that leave a megabyte of garbage`, async () => {
  vi.stubEnv("MINIFLARE_WORKERD_V8_FLAGS", SMALL_MEMORY.MINIFLARE_WORKERD_V8_FLAGS);
  const { origin, inspector } = await startWorker();
  const readHeap = await heapReader(inspector);
  const held: number[] = [];
  for (let request = 0; request < REQUESTS; request += 1) {
    await fetch(origin).then((answer) => answer.arrayBuffer());
    held.push(await readHeap());
  }
  expect(Math.max(...held), `${held}`).toBeLessThan(HEAP_BYTES_MAX);
});
