import { beforeAll, describe, expect, it, vi } from "vitest";
import { DELIVERY_LIMITS } from "#api/delivery-rules.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import { DAMAGES, firstFile, storedObject } from "../support/artifacts.ts";
import {
  consumeDelivery,
  enlargeFirstFile,
  expectPackInStore,
  holdDeliveries,
  pass,
  type Receivers,
  readDelivery,
  type Sender,
  STORE_BODY,
  senderWithPack,
  standIn,
  started,
} from "../support/deliveries.ts";

holdDeliveries();
let shared: Sender;
beforeAll(async () => {
  shared = await senderWithPack();
});

let run = 0;
/** Each test uses the store under another prefix. */
const bodyOfRun = () => ({ ...STORE_BODY, prefix: `launch/${run}` });

/** Creates a delivery without an attempt. Tests that change the pack pass their own sender. */
async function begun({ sender = shared }: { sender?: Sender } = {}) {
  run += 1;
  const receivers = standIn();
  return { sender, receivers, delivery: await started(sender, bodyOfRun()) };
}

const keyOf = ({ pack }: Sender, fileName: string) => `launch/${run}/${pack.artifactId}/${fileName}`;

async function expectWhole(receivers: Receivers, sender: Sender): Promise<void> {
  await expectPackInStore(receivers, sender, `launch/${run}`);
  const manifest = receivers.store.objects.get(keyOf(sender, "manifest.json"));
  expect(JSON.parse(new TextDecoder().decode(manifest?.bytes))).toEqual(sender.pack.manifest);
}

/** Makes even small files multipart uploads. */
function limitSizes(singlePutBytesMax: number, partBytes: number): void {
  Object.assign(DELIVERY_LIMITS, { singlePutBytesMax, partBytes });
}

describe("a pack", () => {
  it("continues where it stopped, and uploads nothing twice", async () => {
    const { sender, receivers, delivery } = await begun();
    let puts = 0;
    receivers.interceptStore = ({ method }) => {
      if (method === "PUT") puts += 1;
      return method === "PUT" && puts === 2 ? new Response(null, { status: 503 }) : null;
    };
    expect(await consumeDelivery(delivery.deliveryId)).toEqual({ delaySeconds: 5 });
    const waiting = await readDelivery(sender, delivery.deliveryId);
    expect(waiting).toMatchObject({
      status: "retrying",
      progress: { completed: 1 },
      failure: { code: "STORE_UNAVAILABLE", receiverStatus: 503 },
    });
    expect(receivers.store.objects.has(keyOf(sender, "manifest.json"))).toBe(false);
    pass(5);
    await consumeDelivery(delivery.deliveryId);
    await expectWhole(receivers, sender);
    expect(receivers.store.order).toHaveLength(3);
    const { files } = await readDelivery(sender, delivery.deliveryId);
    expect(files.filter(({ deliveredAt }) => deliveredAt === null)).toEqual([]);
  });

  it("of many objects is sent in several attempts, none of which counts as failed", async () => {
    Object.assign(DELIVERY_LIMITS, { objectsPerAttemptMax: 1 });
    const { sender, receivers, delivery } = await begun();
    for (const completed of [1, 2]) {
      expect(await consumeDelivery(delivery.deliveryId)).toEqual({ delaySeconds: 0 });
      expect(await readDelivery(sender, delivery.deliveryId)).toMatchObject({
        attempts: 0,
        progress: { completed },
        failure: null,
      });
    }
    expect(await consumeDelivery(delivery.deliveryId)).toBe("acknowledged");
    await expectWhole(receivers, sender);
    expect(receivers.store.order).toHaveLength(3);
  });

  it("sent twice to the same store is stored once", async () => {
    const { sender, receivers, delivery } = await begun();
    await consumeDelivery(delivery.deliveryId);
    const second = await started(sender, { destinationId: delivery.destinationId });
    expect(second.deliveryId).not.toBe(delivery.deliveryId);
    await consumeDelivery(second.deliveryId);
    await expectWhole(receivers, sender);
  });
});

describe("a multipart upload", () => {
  it("that is interrupted is aborted, and the next attempt starts another", async () => {
    limitSizes(1_048_576, 5 * 1_048_576);
    const { sender, receivers, delivery } = await begun({ sender: await senderWithPack() });
    const sha256 = await enlargeFirstFile(sender);
    receivers.interceptStore = (request) =>
      request.url.includes("partNumber=2") ? new TypeError("connection lost") : null;
    expect(await consumeDelivery(delivery.deliveryId)).toEqual({ delaySeconds: 5 });
    expect(receivers.store.uploads.size).toBe(0);
    receivers.interceptStore = () => null;
    pass(5);
    await consumeDelivery(delivery.deliveryId);
    const object = receivers.store.objects.get(keyOf(sender, firstFile(sender.pack).fileName));
    expect(await sha256Hex(object?.bytes ?? new Uint8Array())).toBe(sha256);
  });

  it("that the store refuses in the body of a 200 counts as failed", async () => {
    // S3 requires parts of at least 5 MiB, and refuses smaller parts at the completion.
    limitSizes(1_048_576, 1_048_576);
    const { sender, delivery } = await begun({ sender: await senderWithPack() });
    await enlargeFirstFile(sender);
    expect(await consumeDelivery(delivery.deliveryId)).toEqual({ delaySeconds: 5 });
    expect(await readDelivery(sender, delivery.deliveryId)).toMatchObject({
      status: "retrying",
      failure: { code: "STORE_UNAVAILABLE", message: "The store answered 503 EntityTooSmall." },
    });
  });
});

describe("a store that refuses", () => {
  it.each([
    ["403", new Response("<Error><Code>AccessDenied</Code></Error>", { status: 403 }), "403 AccessDenied"],
    ["404", new Response("<Error><Code>NoSuchBucket</Code></Error>", { status: 404 }), "404 NoSuchBucket"],
    [
      "a redirect",
      new Response("<Error><Code>PermanentRedirect</Code></Error>", {
        status: 301,
        headers: { Location: "/" },
      }),
      "301 PermanentRedirect",
    ],
    ["a page", new Response("<h1>secret-of-somebody</h1>", { status: 400 }), "400"],
  ])("permanently (%s) ends the delivery as dead, with the reason", async (_, refusal, said) => {
    const { sender, receivers, delivery } = await begun();
    receivers.interceptStore = () => refusal;
    expect(await consumeDelivery(delivery.deliveryId)).toBe("acknowledged");
    const { status, failure } = await readDelivery(sender, delivery.deliveryId);
    expect([status, failure?.code]).toEqual(["dead", "STORE_REFUSED"]);
    expect(failure?.message).toContain(`The store answered ${said}.`);
    expect(JSON.stringify(failure)).not.toContain("secret-of-somebody");
  });

  it.each([408, 409, 425, 429, 500, 503])("temporarily (%i) is retried", async (status) => {
    const { receivers, delivery } = await begun();
    receivers.interceptStore = () => new Response(null, { status, headers: { "Retry-After": "40" } });
    expect(await consumeDelivery(delivery.deliveryId)).toEqual({ delaySeconds: 40 });
  });

  it("a store that stores other bytes than were sent is detected", async () => {
    const { sender, receivers, delivery } = await begun();
    const handle = receivers.store.handle.bind(receivers.store);
    vi.spyOn(receivers.store, "handle").mockImplementation(async (request) => {
      const answered = await handle(request);
      const key = keyOf(sender, firstFile(sender.pack).fileName);
      const object = receivers.store.objects.get(key);
      if (object !== undefined && request.method === "PUT") {
        const bytes = object.bytes.slice();
        bytes[0] = (bytes[0] ?? 0) ^ 1;
        const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
        const checksum = btoa(String.fromCharCode(...digest));
        receivers.store.objects.set(key, { ...object, bytes, checksum });
      }
      return answered;
    });
    expect(await consumeDelivery(delivery.deliveryId)).toEqual({ delaySeconds: 5 });
    expect(await readDelivery(sender, delivery.deliveryId)).toMatchObject({
      progress: { completed: 0 },
      failure: { code: "CHECKSUM_MISMATCH" },
    });
  });

  it.each(Object.keys(DAMAGES))("no byte of a damaged file (%s) is sent", async (damage) => {
    const { sender, receivers, delivery } = await begun({ sender: await senderWithPack() });
    await DAMAGES[damage]?.(await storedObject(sender.pack, firstFile(sender.pack).fileName));
    await consumeDelivery(delivery.deliveryId);
    expect(await readDelivery(sender, delivery.deliveryId)).toMatchObject({
      status: "dead",
      failure: { code: "ARTIFACT_UNAVAILABLE" },
    });
    expect(receivers.requests).toEqual([]);
  });
});
