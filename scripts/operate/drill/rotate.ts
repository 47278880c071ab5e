import { serve } from "../../run/receivers/serve.ts";
import { addKey } from "../workspace/commands.ts";
import { ask, type Customer, keyStatus, newCustomer, order, statusOf } from "./customer.ts";
import { LocalCopy, newEncryptionKey, newSecret, type Secrets } from "./local-copy.ts";
import { expectSame, step } from "./steps.ts";

/** Rehearses "Keys and secrets" of docs/operations.md: rotates six secrets in their three steps on a separate service. */

const WITH_PREVIOUS = ["KEY_PEPPER", "DOWNLOAD_SIGNING_KEY", "DELIVERY_ENCRYPTION_KEY"] as const;

const previous = (of: Secrets): Secrets =>
  Object.fromEntries(WITH_PREVIOUS.map((name) => [`${name}_PREVIOUS`, of[name] ?? ""]));

const newSecrets = (): Secrets => ({
  KEY_PEPPER: newSecret(),
  DOWNLOAD_SIGNING_KEY: newSecret(),
  DELIVERY_ENCRYPTION_KEY: newEncryptionKey(),
});

const newSteady = (version: string): Secrets => ({
  AUTH_SECRET: newSecret(),
  KEY_CHECK_SECRET: `${version}${newSecret()}`,
  TRIAL_SECRET: newSecret(),
});

/** Runs the scheduled tasks once. */
const sweep = (origin: string) =>
  fetch(`${origin}/cdn-cgi/handler/scheduled`).then((response) => response.text());

async function claimTrial(origin: string): Promise<number> {
  return statusOf(origin, "POST", "/api/v1/agent/trial-key", { body: { clientMarker: "drill-of-secrets" } });
}

export async function drillRotate(): Promise<void> {
  const [before, after] = [newSecrets(), newSecrets()];
  const steady = newSteady("1");
  const copy = await LocalCopy.make();
  let messages = 0;
  const receiver = await serve(async () => {
    messages += 1;
    return new Response(null, { status: 204 });
  });
  try {
    const old = { ...before, ...steady };
    const customer = await step("A service with a customer, a pack, its links and a webhook", () =>
      newCustomer(copy, old, 10),
    );
    const made = await copy.serve(old, (worker) => prepare(worker.origin, customer, receiver.origin));
    const links = (origin: string) =>
      Promise.all([made.file, made.page].map((path) => statusOf(origin, "GET", path)));
    const checkWebhook = async (origin: string) => {
      const isReceived = await testWebhook(origin, customer, made.destinationId, () => messages);
      expectSame("the webhook", isReceived, true);
    };
    const check = async (origin: string, key: string) => {
      expectSame("the key", await keyStatus(origin, { secret: key }), 200);
      expectSame("links", await links(origin), [200, 200]);
      await checkWebhook(origin);
    };
    const { key, other } = customer;
    await step("1. Every instance accepts the new secrets, and still uses the old ones", () =>
      copy.serve({ ...old, ...previous(after) }, (worker) => check(worker.origin, key.secret)),
    );
    await step("2. Exchanged: earlier keys, links and webhooks work; the sweep encrypts secrets again", () =>
      copy.serve({ ...after, ...steady, ...previous(before) }, async ({ origin }) => {
        await check(origin, key.secret);
        await sweep(origin);
        await sweep(origin);
      }),
    );
    await step(
      "3. Old secrets removed: keys used since and webhooks work; earlier links and unused keys end",
      () =>
        copy.serve({ ...after, ...steady }, async ({ origin }) => {
          expectSame("the used key", await keyStatus(origin, key), 200);
          expectSame("the unused key", await keyStatus(origin, other), 401);
          const areEnded = (await links(origin)).every((status) => status >= 400);
          expectSame("links have ended", areEnded, true);
          await checkWebhook(origin);
          expectSame("a trial", [await claimTrial(origin), await claimTrial(origin)], [201, 429]);
        }),
    );
    const changed = { ...after, ...newSteady("2") };
    const added = await step("KEY_CHECK_SECRET: a key of the new version is made", () =>
      copy.operate(changed, (operator) =>
        addKey(operator, { workspaceId: customer.workspaceId, keyName: "Third", scopes: key.scopes }),
      ),
    );
    await step(
      "AUTH_SECRET, KEY_CHECK_SECRET, TRIAL_SECRET: sessions end, keys of both versions work, trials can be claimed again",
      () =>
        copy.serve(changed, async ({ origin }) => {
          for (const { secret } of [key, added]) {
            expectSame("a key", await keyStatus(origin, { secret }), 200);
          }
          const session = await customer.askAt(origin, "GET", "/api/account/session").catch(() => null);
          expectSame("the session", session, null);
          expectSame("another trial", await claimTrial(origin), 201);
        }),
    );
  } finally {
    await receiver.close();
    await copy.remove();
  }
}

async function prepare(origin: string, customer: Customer, receiver: string) {
  const { secret } = customer.key;
  const { artifactId } = await order(origin, secret, "first");
  const path = `/api/v1/artifacts/${artifactId}`;
  const { data: download } = await ask(origin, "GET", `${path}/download`, { secret });
  const { data: share } = await ask(origin, "POST", `${path}/shares`, { secret, body: {} });
  const saved = await customer.askAt<{ destination: { destinationId: string } }>(
    origin,
    "POST",
    `/api/account/workspaces/${customer.workspaceId}/destinations`,
    { kind: "webhook", url: receiver },
  );
  return {
    destinationId: saved.destination.destinationId,
    file: new URL(download.files[0].url).pathname,
    page: `/api/v1/shared/${String(share.url).split("/").at(-1)}`,
  };
}

/**
 * Whether a test message reaches the receiver. Waits until the delivery is recorded. If the worker stopped between
 * sending and recording, the delivery would stay in progress until its lease ends, and the next test would return the
 * same delivery.
 */
async function testWebhook(
  origin: string,
  customer: Customer,
  destinationId: string,
  received: () => number,
): Promise<boolean> {
  const before = received();
  const workspace = `/api/account/workspaces/${customer.workspaceId}`;
  const read = (method: string, path: string) =>
    customer.askAt<{ deliveryId: string; status: string }>(origin, method, `${workspace}${path}`);
  let delivery = await read("POST", `/destinations/${destinationId}/test`);
  for (let waited = 0; waited < 240 && delivery.status !== "succeeded"; waited += 1) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    delivery = await read("GET", `/deliveries/${delivery.deliveryId}`);
  }
  return delivery.status === "succeeded" && received() > before;
}
