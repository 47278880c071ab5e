import { randomUUID } from "node:crypto";
import { insertOrder } from "#domains/billing/payments/payment-store.ts";
import { signBody } from "../../scripts/emulators/stripe/webhook-sender.ts";
import { inRoot } from "../../scripts/local/paths.ts";
import type { BenchCase, Row } from "../bench-case.ts";
import { median, percentile } from "../clock/statistics.ts";
import { TEN_SIZE_IDS, WORDS } from "../pack-of-ten.ts";
import type { Picture } from "../pictures/pictures.ts";
import {
  dataOf,
  type FarAnswer,
  type FarClient,
  type FarRequest,
  openFarClient,
} from "../workerd/far-client.ts";
import { type Service, startService, until, type Workspace } from "../workerd/service.ts";
import { type CallCounts, WAITS_MS } from "../workers/waiting-bindings.ts";
import { readLogo } from "./design.ts";

const ROUNDS = 20;
/** More than an invocation has connections, so that a request to each of them shows. */
const SHARDS = 8;
const WARM_UPS = 2;
const CREDITS = 1_000;
const POLL_MS = 25;
const PASSWORD = "a phrase for measuring";

type Taken = Pick<FarAnswer, "ms" | "calls">;

/** Keeps what each request took, under its name; `round` says whether it counts. */
type Measure = (name: string, request: FarRequest) => Promise<FarAnswer>;

interface Visit {
  readonly service: Service;
  readonly send: FarClient;
  readonly measure: Measure;
  readonly keep: (name: string, taken: Taken) => void;
}

interface Key {
  readonly secret: string;
}

const OFFER = { offerId: "starter", currency: "eur", amount: 1_000, credits: 100 };
const STRIPE = {
  STRIPE_SECRET_KEY: "sk_test_bench",
  STRIPE_WEBHOOK_SECRET: "whsec_bench",
  BILLING_OFFERS: JSON.stringify([{ ...OFFER, kind: "credits", priceId: "price_starter" }]),
};

const NONE = { d1: 0, object: 0, r2: 0, queued: 0 };

/** Three requests, measured as one and one by one. */
async function upload(
  { measure, keep }: Visit,
  { secret }: Key,
  file: {
    readonly slotId: string;
    readonly mimeType: string;
    readonly bytes: Uint8Array;
    readonly size: object;
  },
): Promise<string> {
  const { slotId, mimeType, bytes, size } = file;
  const byteLength = bytes.byteLength;
  const body = { slotId, fileName: "measured", mimeType, byteLength, ...size };
  const intent = await measure("POST /assets/uploads", {
    ...{ method: "POST", path: "/api/v1/assets/uploads", status: 201, secret, body },
  });
  const { uploadId, assetId } = dataOf(intent);
  const path = `/api/v1/assets/uploads/${uploadId}`;
  const sent = await measure("PUT /assets/uploads/{uploadId}/object", {
    ...{ method: "PUT", path: `${path}/object`, status: 204, secret, body: bytes, contentType: mimeType },
  });
  const completed = await measure("POST /assets/uploads/{uploadId}/complete", {
    ...{ method: "POST", path: `${path}/complete`, status: 200, secret, body: { assetId, byteLength } },
  });
  const steps = [intent, sent, completed];
  const sum = (of: (step: Taken) => number) => steps.reduce((total, step) => total + of(step), 0);
  keep("an upload until it is ready, the three above", {
    ms: sum(({ ms }) => ms),
    calls: {
      d1: sum(({ calls }) => calls.d1),
      object: sum(({ calls }) => calls.object),
      r2: sum(({ calls }) => calls.r2),
      queued: sum(({ calls }) => calls.queued),
    },
  });
  return assetId;
}

/** Polls without measuring; the artifact of a job that succeeds. */
const readyArtifact = ({ send }: Visit, { secret }: Key, jobId: string): Promise<string> =>
  until(
    async () => {
      const job = dataOf(await send({ method: "GET", path: `/api/v1/jobs/${jobId}`, status: 200, secret }));
      if (job.failure !== null) throw new Error(`the job failed: ${job.failure.code}`);
      return job.artifactId;
    },
    "a job",
    POLL_MS,
  );

/** The event of a paid order, as Stripe sends it. */
async function payment({ service, measure }: Visit, { workspaceId }: Workspace): Promise<void> {
  const order = { ...OFFER, orderId: randomUUID(), workspaceId, kind: "credits" as const };
  const [db = service.db] = service.databases;
  await insertOrder.run(db, { ...order, quota: null, createdAt: Date.now() });
  const { orderId, offerId, kind, amount, currency } = order;
  const event = {
    ...{ id: `evt_${randomUUID()}`, object: "event", livemode: false, type: "checkout.session.completed" },
    created: Math.floor(Date.now() / 1_000),
    data: {
      object: {
        ...{ id: `cs_${randomUUID()}`, object: "checkout.session", mode: "payment", payment_status: "paid" },
        ...{ payment_intent: `pi_${randomUUID()}`, amount_total: amount, currency },
        metadata: { orderId, workspaceId, offerId, kind },
      },
    },
  };
  const body = JSON.stringify(event);
  await measure("POST /api/billing/events, of a payment", {
    ...{ method: "POST", path: "/api/billing/events", status: 200, contentType: "application/json" },
    headers: { "Stripe-Signature": signBody(body, STRIPE.STRIPE_WEBHOOK_SECRET) },
    body: new TextEncoder().encode(body),
  });
}

/** Everything that a pack is asked for by a key, in the order of its life. */
async function livePack(visit: Visit, photo: Picture, logo: Uint8Array): Promise<void> {
  const { service, send, measure, keep } = visit;
  const owner = await service.openWorkspace(CREDITS);
  const get = (name: string, path: string, { secret }: Key = owner) =>
    measure(`GET ${name}`, { method: "GET", path: `/api/v1${path}`, status: 200, secret });
  const post = (name: string, path: string, status: number, body: object, { secret }: Key = owner) =>
    measure(`POST ${name}`, { method: "POST", path: `/api/v1${path}`, status, secret, body });

  await get("/contracts/{contractId}", "/contracts/campaign.v1");
  await get("/balance, a key not seen before", "/balance");
  await get("/balance", "/balance");
  await get("/assets", "/assets");
  const { mimeType, width, height } = photo;
  const media = await upload(visit, owner, {
    ...{ slotId: "media", mimeType, bytes: photo.bytes, size: { width, height } },
  });
  const unmeasured = {
    ...visit,
    measure: (_: string, request: FarRequest) => send(request),
    keep: () => undefined,
  };
  const logoId = await upload(unmeasured, owner, {
    ...{ slotId: "logo", mimeType: "image/svg+xml", bytes: logo, size: {} },
  });
  await get("/assets/{assetId}", `/assets/${media}`);

  const pack = (sizeIds: readonly string[], headline: string) => ({
    contractId: "campaign.v1",
    selectedSizeIds: sizeIds,
    outputFormat: "jpg",
    assetIds: { media, logo: logoId },
    copy: { ...WORDS, headline },
  });
  const ten = pack(TEN_SIZE_IDS, WORDS.headline);
  const one = pack(["iab-320x50"], "Two wheels, no regrets");
  await post("/previews", "/previews", 200, ten);
  await post("/previews, the same again", "/previews", 200, ten);
  await get("/previews/quota", "/previews/quota");
  await post("/jobs/quote", "/jobs/quote", 200, ten);
  const made = await post("/api-keys", "/api-keys", 201, {
    name: "Measured",
    scopes: ["jobs:read", "jobs:write"],
  });
  const key: Key = { secret: dataOf(made).secret };
  const orderedAtMs = performance.now();
  const order = await post("/jobs, cold: the key and the assets not seen lately", "/jobs", 202, ten, key);
  const { jobId } = dataOf(order);
  const artifactId = await readyArtifact(visit, key, jobId);
  keep("a pack of ten, from POST /jobs to the poll that shows it", {
    ...{ ms: performance.now() - orderedAtMs, calls: NONE },
  });
  await send({ method: "POST", path: "/api/v1/jobs", status: 202, body: one, ...key });
  const warm = await post("/jobs, warm", "/jobs", 202, pack(["iab-320x50"], "Another"), key);
  await get("/jobs/{jobId}, the poll", `/jobs/${dataOf(warm).jobId}`, key);
  await readyArtifact(visit, key, dataOf(warm).jobId);

  await get("/jobs", "/jobs");
  await get("/artifacts", "/artifacts");
  const { files } = dataOf(await get("/artifacts/{artifactId}, the manifest", `/artifacts/${artifactId}`));
  const links = dataOf(await get("/artifacts/{artifactId}/download", `/artifacts/${artifactId}/download`));
  const filePath = `/artifacts/${artifactId}/files/${files[0].fileId}/download`;
  await get("/artifacts/{artifactId}/files/{fileId}/download", filePath);
  await measure("GET the link of a file", { method: "GET", path: links.files[0].url, status: 200 });
  await measure("GET the link of the ZIP of ten", { method: "GET", path: links.url, status: 200 });
  const share = dataOf(
    await post("/artifacts/{artifactId}/shares", `/artifacts/${artifactId}/shares`, 201, {}),
  );
  const token = String(share.url).split("/").at(-1);
  await measure("GET /shared/{token}, a share link", {
    ...{ method: "GET", path: `/api/v1/shared/${token}`, status: 200 },
  });
  await payment(visit, owner);
  await get("/usage", "/usage");
  await get("/usage/summary", "/usage/summary");
  await get("/usage/statement", "/usage/statement");
  await get("/api-keys", "/api-keys");
  await measure("DELETE /assets/{assetId}", {
    ...{ method: "DELETE", path: `/api/v1/assets/${media}`, status: 200, secret: owner.secret },
  });
}

const cookieOf = ({ headers }: FarAnswer): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0] ?? "")
    .join("; ");

/** What a page of the Studio asks for before its key. */
async function liveSession({ send, measure }: Visit): Promise<void> {
  const person = { email: `${randomUUID()}@bench.example`, password: PASSWORD };
  const account = (path: string) => `/api/account${path}`;
  await measure("POST /account/sign-up", {
    ...{ method: "POST", path: account("/sign-up"), status: 202, body: { ...person, name: "Bench" } },
  });
  const signedIn = await measure("POST /account/sign-in", {
    ...{ method: "POST", path: account("/sign-in"), status: 200, body: person },
  });
  const cookie = cookieOf(signedIn);
  const get = (name: string, path: string) =>
    measure(`GET /account${name}`, { method: "GET", path: account(path), status: 200, cookie });
  await get("/session", "/session");
  const { items } = dataOf(await get("/workspaces", "/workspaces"));
  const { workspaceId } = items[0];
  const path = `/workspaces/${workspaceId}`;
  await measure("POST /account/workspaces/{workspaceId}/session-key", {
    ...{ method: "POST", path: account(`${path}/session-key`), status: 201, cookie },
  });
  await get("/workspaces/{workspaceId}/balance", `${path}/balance`);
  await get("/workspaces/{workspaceId}/jobs", `${path}/jobs`);
  await send({ method: "POST", path: account("/sign-out"), status: 200, cookie });
}

const rowOf = (label: string, taken: readonly Taken[]): Row => {
  const ms = taken.map((one) => one.ms);
  const calls = (kind: keyof CallCounts) => median(taken.map((one) => one.calls[kind]));
  const isCounted = taken.some((one) => one.calls !== NONE);
  return {
    label,
    figures: {
      "D1 calls": isCounted ? calls("d1") : null,
      "object calls": isCounted ? calls("object") : null,
      "R2 calls": isCounted ? calls("r2") : null,
      "waited for a connection": isCounted ? calls("queued") : null,
      "median ms": median(ms),
      "p95 ms": percentile(ms, 0.95),
    },
  };
};

export const latencyCase: BenchCase = {
  id: "latency",
  title: `Each request far from its storage: ${WAITS_MS.d1} ms a call of D1, ${WAITS_MS.object} of an object, ${WAITS_MS.r2} of R2`,
  run: async ({ pictures, progress }) => {
    const photo = await pictures.open("12mp-jpeg");
    const logo = await readLogo();
    const service = await startService({
      script: inRoot("bench/workers/far.ts"),
      shards: SHARDS,
      variables: STRIPE,
    });
    const measured = new Map<string, Taken[]>();
    try {
      const send = openFarClient(service.worker.origin);
      for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
        progress(round < 0 ? "a life unmeasured" : `life ${round + 1} of ${ROUNDS}`);
        const keep = (name: string, taken: Taken): void => {
          if (round >= 0) measured.set(name, [...(measured.get(name) ?? []), taken]);
        };
        const measure: Measure = async (name, request) => {
          const answer = await send(request);
          keep(name, answer);
          return answer;
        };
        const visit: Visit = { service, send, measure, keep };
        await livePack(visit, photo, logo);
        await liveSession(visit);
      }
    } finally {
      await service.stop();
    }
    return {
      rows: [...measured].map(([label, taken]) => rowOf(label, taken)),
      targets: [],
      absences: [],
      notes: [
        "The real bindings behind a wait before each call, of which six made at once wait together, as an invocation has six connections, and the others after them. A batch is one call, and so is a read of an object with its bytes.",
        "Calls are those made until the last byte of the answer; what follows it, as the sending of messages, holds nobody up. `test/fault/round-trips.test.ts` holds them.",
        `One request at a time, of a new workspace each round (${ROUNDS}), with a 12 MP JPEG and a logo; a pack is polled every ${POLL_MS} ms.`,
      ],
    };
  },
};
