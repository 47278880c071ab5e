import { beforeAll, describe, expect, it } from "vitest";
import { DELIVERY_LIMITS } from "#api/delivery-rules.ts";
import {
  consumeDelivery,
  expectPackInStore,
  holdDeliveries,
  readDelivery,
  type Sender,
  STORE_BODY,
  senderWithPack,
  standIn,
  started,
} from "../support/deliveries.ts";

holdDeliveries();
let sender: Sender;
beforeAll(async () => {
  sender = await senderWithPack();
});

const CHUNK_BYTES = 65_536;
const CHUNKS = 1_024;

it("an endless object is read no further than its expected length", async () => {
  const receivers = standIn({ profile: "plain" });
  const { deliveryId, files } = await started(sender, { ...STORE_BODY, prefix: "endless" });
  let chunks = 0;
  receivers.interceptStore = ({ method }) =>
    method !== "GET"
      ? null
      : new Response(
          new ReadableStream({
            pull(controller) {
              chunks += 1;
              if (chunks > CHUNKS) controller.close();
              else controller.enqueue(new Uint8Array(CHUNK_BYTES));
            },
          }),
        );
  expect(await consumeDelivery(deliveryId)).toEqual({ delaySeconds: 5 });
  const { failure } = await readDelivery(sender, deliveryId);
  expect(failure?.code).toBe("CHECKSUM_MISMATCH");
  // The stream may have buffered one chunk.
  const needed = Math.ceil((files[0]?.byteLength ?? 0) / CHUNK_BYTES) + 2;
  expect(chunks).toBeLessThanOrEqual(needed);
});

it("if a proxy turns HEAD into GET and thus breaks the signature, the object is verified by a GET", async () => {
  const receivers = standIn();
  const { deliveryId } = await started(sender, { ...STORE_BODY, prefix: "rewritten" });
  receivers.interceptStore = (request) =>
    request.method === "HEAD" ? new Request(request, { method: "GET" }) : null;
  expect(await consumeDelivery(deliveryId)).toBe("acknowledged");
  await expectPackInStore(receivers, sender, "rewritten");
  const [first, ...others] = receivers.store.requests.filter((one) => one.startsWith("GET"));
  expect([first, new Set(others).size]).toEqual(["GET object 403", 2]);
});

describe("a store's answer that breaks off", () => {
  const broken = () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          controller.error(new TypeError("connection lost"));
        },
      }),
    );

  it.each([
    ["when a multipart upload begins", "uploads="],
    ["when a multipart upload is completed", "uploadId="],
  ])("%s is reported as the store's fault, and leaves no multipart upload behind", async (_, query) => {
    Object.assign(DELIVERY_LIMITS, { singlePutBytesMax: 1 });
    const receivers = standIn();
    const { deliveryId } = await started(sender, { ...STORE_BODY, prefix: `broken${query.length}` });
    receivers.interceptStore = (request) =>
      request.method === "POST" && new URL(request.url).search.includes(query) ? broken() : null;
    expect(await consumeDelivery(deliveryId)).toEqual({ delaySeconds: 5 });
    const { failure } = await readDelivery(sender, deliveryId);
    expect(failure?.code).toBe("STORE_UNAVAILABLE");
    expect(receivers.store.uploads.size).toBe(0);
  });

  it("after a PUT: missing objects are put again", async () => {
    const receivers = standIn();
    const { deliveryId } = await started(sender, { ...STORE_BODY, prefix: "lost" });
    receivers.interceptStore = ({ method }) => (method === "PUT" ? broken() : null);
    expect(await consumeDelivery(deliveryId)).toEqual({ delaySeconds: 5 });
    const { status, failure } = await readDelivery(sender, deliveryId);
    expect([status, failure?.code]).toEqual(["retrying", "CHECKSUM_MISMATCH"]);
  });
});
