import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from "vitest";
import type { z } from "zod";
import { DELIVERY_LIMITS } from "#api/delivery-rules.ts";
import { deliverySchema, deliverySummarySchema, startedDeliverySchema } from "#api/schemas/delivery.ts";
import { destinationSchema } from "#api/schemas/destination.ts";
import { clock } from "#platform/clock.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import { S3Store, type StoreOptions } from "../../scripts/run/receivers/s3-store.ts";
import {
  type ReceivedMessage,
  readMessage,
  type VerifiedMessage,
  verifyMessage,
} from "../../scripts/run/receivers/webhook-receiver.ts";
import { addMember, callAs, createAccount } from "./accounts.ts";
import { firstFile, type ReadyPack, readyPack, storedObject } from "./artifacts.ts";
import { type Consumed, consumeMessage, type MessageOptions } from "./consume-message.ts";
import { execute } from "./database.ts";
import { messageOfWork } from "./homes.ts";
import { standInForInternet } from "./internet.ts";
import { holdQueue, workspaceWithLogo } from "./jobs.ts";

/** Receivers on other servers, and deliveries to them through the worker's consumer. */

export const HOOK_URL = "https://hooks.customer.example/packs?token=in-the-query";
const STORE_ENDPOINT = "https://store.customer.example";
export const STORE = {
  region: "eu-central-1",
  bucket: "campaign-packs",
  accessKeyId: "AKIATEST",
  secretAccessKey: "a-secret-access-key-of-the-customer",
};
export const STORE_BODY = { kind: "s3", endpoint: STORE_ENDPOINT, prefix: "launch/2026", ...STORE };

/** The fake receivers: a store and a webhook. */
export interface Receivers {
  readonly store: S3Store;
  readonly messages: ReceivedMessage[];
  /** Received requests, by method and host. */
  readonly requests: string[];
  /** The webhook's answers, in order; afterwards 204. */
  readonly answers: (Response | Error)[];
  /** Answers a request in the store's place, changes it, or passes it on to the store (null). */
  interceptStore: (request: Request) => Response | Request | Error | null;
}

/** Replaces the internet by the webhook and the store. */
export function standIn(options: Pick<StoreOptions, "profile" | "partBytesMin"> = {}): Receivers {
  const receivers: Receivers = {
    store: new S3Store({ ...STORE, ...options }),
    messages: [],
    requests: [],
    answers: [],
    interceptStore: () => null,
  };
  standInForInternet((request) => answer(receivers, request));
  return receivers;
}

/** The receivers' answer to a request; throws like `fetch` if nothing answers. */
export async function answer(receivers: Receivers, request: Request): Promise<Response> {
  const { origin, host } = new URL(request.url);
  receivers.requests.push(`${request.method} ${host}`);
  if (origin === STORE_ENDPOINT) {
    const instead = receivers.interceptStore(request);
    if (instead instanceof Error) throw instead;
    return instead instanceof Response ? instead : receivers.store.handle(instead ?? request);
  }
  if (origin !== new URL(HOOK_URL).origin) throw new TypeError("no such host");
  receivers.messages.push(await readMessage(request));
  const next = receivers.answers.shift() ?? new Response(null, { status: 204 });
  if (next instanceof Error) throw next;
  return next;
}

/** The messages, each verified by the receivers' library. */
export const verified = ({ messages }: Receivers, secret: string): VerifiedMessage[] =>
  messages.map((message) => verifyMessage(secret, message));

/** Makes sends to the queue fail, so that messages stay out of it. */
export const holdDeliveryQueue = () =>
  vi.spyOn(env.DELIVERY_QUEUE, "sendBatch").mockRejectedValue(new Error("the queue is down"));

/** Delivers the message of a delivery. */
export const consumeDelivery = async (deliveryId: string, options: MessageOptions = {}): Promise<Consumed> =>
  consumeMessage(await messageOfWork({ deliveryId }), { queue: "creative-packs-deliveries", ...options });

/** An account, and a finished pack in its workspace. */
export interface Sender {
  readonly account: Awaited<ReturnType<typeof createAccount>>;
  readonly pack: ReadyPack;
  readonly workspaceId: string;
}

/** A pack drawn by the worker, in the workspace of a new account. */
export async function senderWithPack(): Promise<Sender> {
  const account = await createAccount();
  const pack = await readyPack();
  const { workspaceId } = pack.client;
  await addMember(workspaceId, account.accountId, "owner");
  return { account, pack, workspaceId };
}

/** A workspace with credits and a logo, owned by a new account; its jobs and deliveries stay queued. */
export async function clientWithOwner(access: Parameters<typeof workspaceWithLogo>[0]) {
  holdQueue();
  holdDeliveryQueue();
  const client = await workspaceWithLogo(access);
  const account = await createAccount();
  await addMember(client.workspaceId, account.accountId, "owner");
  return { client, account, workspaceId: client.workspaceId };
}

const LARGE_FILE_BYTES = 5 * 1_048_576 + 5;

/** Replaces the pack's first file by a large one, in storage and in its row. Returns its SHA-256. */
export async function enlargeFirstFile({ pack }: Sender, byteLength = LARGE_FILE_BYTES): Promise<string> {
  const { fileName } = firstFile(pack);
  const { key, contentType } = await storedObject(pack, fileName);
  const bytes = new Uint8Array(byteLength);
  for (let at = 0; at < bytes.length; at += 4_096) bytes[at] = at / 4_096;
  const sha256 = await sha256Hex(bytes);
  await env.BUCKET.put(key, bytes, { httpMetadata: { contentType } });
  await execute`UPDATE artifacts SET files = json_set(files, '$[0].byteLength', ${byteLength}, '$[0].sha256', ${sha256})
    WHERE artifact_id = ${pack.artifactId}`;
  return sha256;
}

export const sendTo = ({ account, pack }: Sender, body: unknown) =>
  callAs(account, "POST", `/api/account/artifacts/${pack.artifactId}/destinations`, { body });

type Started = z.infer<typeof startedDeliverySchema>;

/** Creates a delivery; throws if it is refused. */
export async function started(sender: Sender, body: unknown): Promise<Started> {
  const answered = await sendTo(sender, body);
  if (answered.status !== 202) throw new Error(JSON.stringify(answered.body));
  return startedDeliverySchema.strict().parse(answered.body.data);
}

const inWorkspace = ({ workspaceId }: { readonly workspaceId: string }, path: string) =>
  `/api/account/workspaces/${workspaceId}/${path}`;

export async function readDelivery(sender: Sender, deliveryId: string) {
  const answered = await callAs(sender.account, "GET", inWorkspace(sender, `deliveries/${deliveryId}`));
  if (answered.status !== 200) throw new Error(JSON.stringify(answered.body));
  return deliverySchema.strict().parse(answered.body.data);
}

/** The workspace's deliveries, newest first. */
export async function listDeliveries(sender: Pick<Sender, "account" | "workspaceId">, query = "") {
  const answered = await callAs(sender.account, "GET", inWorkspace(sender, `deliveries${query}`));
  if (answered.status !== 200) throw new Error(JSON.stringify(answered.body));
  const page: { items: unknown[]; nextBefore: string | null } = answered.body.data;
  return { ...page, items: page.items.map((item) => deliverySummarySchema.strict().parse(item)) };
}

/** Saves a destination; throws if it is refused. */
export async function saved(sender: Pick<Sender, "account" | "workspaceId">, body: unknown) {
  const answered = await callAs(sender.account, "POST", inWorkspace(sender, "destinations"), { body });
  if (answered.status > 201) throw new Error(JSON.stringify(answered.body));
  const { destination, signingSecret } = answered.body.data;
  return { destination: destinationSchema.parse(destination), signingSecret: String(signingSecret) };
}

export { inWorkspace };

export const retryDelivery = (sender: Sender, deliveryId: string) =>
  callAs(sender.account, "POST", inWorkspace(sender, `deliveries/${deliveryId}/retry`));

export const enableDestination = (sender: Sender, destinationId: string) =>
  callAs(sender.account, "POST", inWorkspace(sender, `destinations/${destinationId}/enable`));

/** The store has every file of the pack, the manifest last, and no multipart upload in progress. */
export async function expectPackInStore(
  { store }: Receivers,
  { pack }: Sender,
  prefix: string,
  changedSha256: Readonly<Record<string, string>> = {},
): Promise<void> {
  const keyOf = (fileName: string) => `${prefix}/${pack.artifactId}/${fileName}`;
  const { files } = pack.manifest;
  const keys = [...files.map(({ fileName }) => fileName), "manifest.json"].map(keyOf);
  expect([...store.objects.keys()].sort()).toEqual(keys.sort());
  for (const { fileName, checksum, contentType } of files) {
    const object = store.objects.get(keyOf(fileName));
    expect(await sha256Hex(object?.bytes ?? new Uint8Array())).toBe(
      changedSha256[fileName] ?? checksum.value,
    );
    expect(object?.contentType).toBe(contentType);
  }
  expect(store.order.at(-1)).toBe(keyOf("manifest.json"));
  expect(store.uploads.size).toBe(0);
}

/** Advances the clock of the service and of the library that verifies messages. */
export function pass(seconds: number): void {
  const nowMs = clock.now() + seconds * 1_000;
  vi.spyOn(clock, "now").mockReturnValue(nowMs);
}

const LIMITS = { ...DELIVERY_LIMITS };

/**
 * Hooks for tests of deliveries: messages stay out of the queue, spies and limits end with each test, and no delivery
 * stays open.
 */
export function holdDeliveries(): void {
  beforeAll(() => {
    holdDeliveryQueue();
  });
  beforeEach(() => {
    holdDeliveryQueue();
  });
  afterEach(() => {
    vi.restoreAllMocks();
    Object.assign(DELIVERY_LIMITS, LIMITS);
  });
  afterAll(closeDeliveries);
}

/** Ends open deliveries of a file's tests, so that none is sent during other tests. For `afterAll`. */
export async function closeDeliveries(): Promise<void> {
  await execute`UPDATE deliveries SET status = 'dead', finished_at = 1, next_attempt_at = NULL
    WHERE finished_at IS NULL`;
}
