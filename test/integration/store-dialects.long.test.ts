import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { DELIVERY_LIMITS } from "#api/delivery-rules.ts";
import type { StoreProfile } from "../../scripts/run/receivers/store-profiles.ts";
import { firstFile } from "../support/artifacts.ts";
import { execute, selectRow } from "../support/database.ts";
import {
  consumeDelivery,
  enlargeFirstFile,
  expectPackInStore,
  holdDeliveries,
  holdDeliveryQueue,
  type Receivers,
  readDelivery,
  type Sender,
  STORE_BODY,
  senderWithPack,
  standIn as standInFor,
  started,
} from "../support/deliveries.ts";

holdDeliveries();
let sender: Sender;
let largeSha256: string;
/** Smaller than real stores accept, so that many deliveries are quick. The conformance tests use real part lengths. */
const PART_BYTES = 65_536;
const standIn = (profile?: StoreProfile) =>
  standInFor({ partBytesMin: PART_BYTES, ...(profile === undefined ? {} : { profile }) });

beforeAll(async () => {
  sender = await senderWithPack();
  largeSha256 = await enlargeFirstFile(sender, PART_BYTES + 5);
});
beforeEach(() => {
  // The pack's first file is sent in two parts, the second file and the manifest in one part each.
  Object.assign(DELIVERY_LIMITS, { singlePutBytesMax: PART_BYTES, partBytes: PART_BYTES });
});

/** Sends the pack to the destination with this name, in one attempt. */
async function attempt(prefix: string) {
  const { deliveryId, destinationId } = await started(sender, { ...STORE_BODY, prefix });
  await consumeDelivery(deliveryId);
  const delivery = await readDelivery(sender, deliveryId);
  return { destinationId, delivery };
}

/** Requests to the store since the last call. */
const requestsOf = ({ store }: Receivers) => store.requests.splice(0);

const expectWhole = (receivers: Receivers, prefix: string) =>
  expectPackInStore(receivers, sender, prefix, { [firstFile(sender.pack).fileName]: largeSha256 });

const IN_PARTS = ["POST uploads 200", "PUT part 200", "PUT part 200", "POST upload 200"];
const STATED = ["PUT object 200", "HEAD object 200"];
const READ_BACK = ["PUT object 200", "GET object 200"];
const OF_AWS = [...IN_PARTS, "HEAD object 200", "GET object 200", ...STATED, ...STATED];
const WITHOUT_CHECKSUMS = [...IN_PARTS, "GET object 200", ...READ_BACK, ...READ_BACK];

const DIALECTS: Readonly<Record<StoreProfile, readonly [first: string[], later: string[]]>> = {
  aws: [OF_AWS, OF_AWS],
  minio: [OF_AWS, OF_AWS],
  r2: [
    [
      "POST uploads 200",
      "PUT part 501",
      "DELETE upload 204",
      ...[...IN_PARTS, "GET object 200", ...STATED, ...STATED],
    ],
    [...IN_PARTS, "GET object 200", ...STATED, ...STATED],
  ],
  b2: [
    ["POST uploads 400", ...IN_PARTS, "GET object 200", "PUT object 400", ...READ_BACK, ...READ_BACK],
    WITHOUT_CHECKSUMS,
  ],
  plain: [[...IN_PARTS, "HEAD object 200", "GET object 200", ...READ_BACK, ...READ_BACK], WITHOUT_CHECKSUMS],
};
const PROFILES = Object.keys(DIALECTS) as StoreProfile[];

describe.each(PROFILES)("a store like %s", (profile) => {
  it("gets the pack in the first attempt, and later packs without refused requests", async () => {
    const receivers = standIn(profile);
    for (const expected of DIALECTS[profile]) {
      const { delivery } = await attempt(profile);
      expect(delivery).toMatchObject({ status: "succeeded", attempts: 1, failure: null });
      expect(requestsOf(receivers)).toEqual(expected);
      await expectWhole(receivers, profile);
    }
  });
});

it.each(["aws", "b2"] as const)(
  "a store like %s that returns the sent checksum but stores other bytes is detected",
  async (profile) => {
    const receivers = standIn(profile);
    const handle = receivers.store.handle.bind(receivers.store);
    vi.spyOn(receivers.store, "handle").mockImplementation(async (request) => {
      const answered = await handle(request);
      const [key] = receivers.store.order.slice(-1);
      const object = receivers.store.objects.get(key ?? "");
      if (request.method !== "POST" || object === undefined) return answered;
      const bytes = object.bytes.slice();
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
      receivers.store.objects.set(key ?? "", { ...object, bytes });
      return answered;
    });
    const { delivery } = await attempt(`${profile}-flipped`);
    expect(delivery).toMatchObject({
      status: "retrying",
      progress: { completed: 0 },
      failure: { code: "CHECKSUM_MISMATCH" },
    });
  },
);

describe("a recorded refusal of checksums", () => {
  const settingsOf = async (destinationId: string) => {
    const row = await selectRow<{ settings: string }>`SELECT settings FROM destinations
      WHERE destination_id = ${destinationId}`;
    return JSON.parse(row?.settings ?? "{}");
  };

  it("expires after thirty days; the checksum header is then sent again", async () => {
    const receivers = standIn("b2");
    const { destinationId } = await attempt("again");
    requestsOf(receivers);
    await execute`UPDATE destinations SET settings = json_replace(settings, '$.refusedChecksums.put', ${Date.now() - DELIVERY_LIMITS.checksumsRememberedMs}) WHERE destination_id = ${destinationId}`;
    await attempt("again");
    expect(requestsOf(receivers).filter((request) => request.endsWith("400"))).toEqual(["PUT object 400"]);
    await attempt("again");
    expect(requestsOf(receivers)).toEqual(WITHOUT_CHECKSUMS);
  });

  it("is removed when the store starts to require checksums", async () => {
    const lenient = standIn("b2");
    const { destinationId } = await attempt("wants");
    expect(Object.keys((await settingsOf(destinationId)).refusedChecksums).sort()).toEqual(["parts", "put"]);
    expect(lenient.store.objects.size).toBe(3);
    vi.restoreAllMocks();
    holdDeliveryQueue();
    const strict = standIn();
    // Buckets with an object lock answer like this: "Content-MD5 OR x-amz-checksum- HTTP header is required".
    strict.interceptStore = ({ method, headers }) =>
      method === "PUT" && !headers.has("x-amz-checksum-sha256")
        ? new Response("<Error><Code>InvalidRequest</Code></Error>", { status: 400 })
        : null;
    const { delivery } = await attempt("wants");
    expect(delivery).toMatchObject({ status: "succeeded", attempts: 1 });
    await expectWhole(strict, "wants");
    expect((await settingsOf(destinationId)).refusedChecksums).toEqual({});
  });

  it.each([400, 501])(
    "is not recorded if the store answers %i with and without checksums; the second answer is the reason",
    async (status) => {
      const receivers = standIn();
      receivers.interceptStore = () => new Response(null, { status });
      const { destinationId, delivery } = await attempt(`never${status}`);
      expect(receivers.requests).toHaveLength(2);
      expect(delivery).toMatchObject({ progress: { completed: 0 }, failure: { receiverStatus: status } });
      expect(await settingsOf(destinationId)).not.toHaveProperty("refusedChecksums");
    },
  );

  it("is not recorded when the store reports a checksum mismatch", async () => {
    const receivers = standIn();
    receivers.interceptStore = ({ method }) =>
      method === "PUT" ? new Response("<Error><Code>BadDigest</Code></Error>", { status: 400 }) : null;
    const { destinationId, delivery } = await attempt("digest");
    expect(delivery.failure?.code).toBe("CHECKSUM_MISMATCH");
    expect(receivers.store.requests).toEqual(["POST uploads 200", "DELETE upload 204"]);
    expect(await settingsOf(destinationId)).not.toHaveProperty("refusedChecksums");
  });

  it("also applies to HEAD: the object is read instead", async () => {
    const receivers = standIn();
    receivers.interceptStore = ({ method }) =>
      method === "HEAD" ? new Response(null, { status: 501 }) : null;
    const { destinationId, delivery } = await attempt("head");
    expect(delivery).toMatchObject({ status: "succeeded", attempts: 1 });
    expect(receivers.store.requests.filter((request) => request.startsWith("GET"))).toHaveLength(3);
    expect(Object.keys((await settingsOf(destinationId)).refusedChecksums)).toEqual(["head"]);
  });
});
