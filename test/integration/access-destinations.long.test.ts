import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { destinationById } from "#domains/deliveries/destination-store.ts";
import { resealDestinations } from "#domains/deliveries/manage-destination.ts";
import { readCapabilities } from "#platform/bindings/capabilities.ts";
import { unseal } from "#platform/crypto/sealed-secret.ts";
import { everyDatabase } from "#platform/databases/databases.ts";
import { type LogLine, log } from "#platform/log/log.ts";
import { callAs } from "../support/accounts.ts";
import { execute, selectRows, selectValue } from "../support/database.ts";
import {
  consumeDelivery,
  HOOK_URL,
  holdDeliveries,
  holdDeliveryQueue,
  inWorkspace,
  type Sender,
  STORE,
  STORE_BODY,
  saved,
  senderWithPack,
  sendTo,
  standIn,
  started,
} from "../support/deliveries.ts";
import { boundDatabases, databaseOfWorkspace, isOnShards } from "../support/homes.ts";
import { refusalOf } from "../support/refusals.ts";

holdDeliveries();
let ours: Sender;
let theirs: Sender;
beforeAll(async () => {
  [ours, theirs] = [await senderWithPack(), await senderWithPack()];
});

const WEBHOOK = { kind: "webhook", url: HOOK_URL };
const NOWHERE = "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71";

describe("one account has no access to another's destinations", () => {
  it("a foreign id is answered exactly like an unknown one, and nothing is changed or sent", async () => {
    const sent = holdDeliveryQueue();
    const foreign = await started(theirs, WEBHOOK);
    sent.mockClear();
    const routes = (workspaceId: string, destinationId: string, deliveryId: string, artifactId: string) =>
      [
        ["POST", `/api/account/artifacts/${artifactId}/destinations`, WEBHOOK],
        ["POST", `/api/account/workspaces/${workspaceId}/destinations`, WEBHOOK],
        ["GET", `/api/account/workspaces/${workspaceId}/destinations`],
        ["DELETE", `/api/account/workspaces/${workspaceId}/destinations/${destinationId}`],
        ["POST", `/api/account/workspaces/${workspaceId}/destinations/${destinationId}/enable`],
        ["POST", `/api/account/workspaces/${workspaceId}/destinations/${destinationId}/rotate-secret`],
        ["GET", `/api/account/workspaces/${workspaceId}/deliveries`],
        ["GET", `/api/account/workspaces/${workspaceId}/deliveries/${deliveryId}`],
        ["POST", `/api/account/workspaces/${workspaceId}/deliveries/${deliveryId}/retry`],
      ] as const;
    const answersOf = async (paths: ReturnType<typeof routes>) => {
      const answers = [];
      for (const [method, path, body] of paths) {
        const { status, body: told } = await callAs(ours.account, method, path, { body });
        answers.push([method, status, told.error?.code, told.error?.message]);
      }
      return answers;
    };
    const own = "WHERE workspace_id = ?1";
    const dumpOf = async ({ workspaceId }: { readonly workspaceId: string }) => {
      const db = await databaseOfWorkspace(workspaceId);
      const results = await db.batch<{ delivery_number?: number }>(
        [
          `SELECT * FROM destinations ${own}`,
          `SELECT * FROM deliveries ${own}`,
          `SELECT * FROM delivery_files WHERE delivery_id IN (SELECT delivery_id FROM deliveries ${own})`,
        ].map((sql) => db.prepare(sql).bind(workspaceId)),
      );
      // Delivery numbers differ by database.
      const plain = (row: { delivery_number?: number }) =>
        isOnShards() ? { ...row, delivery_number: 0 } : row;
      return results.map(({ results: rows }) => rows.map(plain));
    };
    const dump = async () => [await dumpOf(ours), await dumpOf(theirs)];
    const before = await dump();
    const { destinationId, deliveryId } = foreign;
    const missing = await answersOf(routes(NOWHERE, NOWHERE, NOWHERE, NOWHERE));
    expect(missing.every(([, status]) => status === 404)).toBe(true);
    // First only ids of the other workspace, then its destination and delivery in paths of our own workspace.
    expect(
      await answersOf(routes(theirs.workspaceId, destinationId, deliveryId, theirs.pack.artifactId)),
    ).toEqual(missing);
    const within = routes(ours.workspaceId, destinationId, deliveryId, NOWHERE).filter(
      ([, path]) => path.includes(destinationId) || path.includes(deliveryId),
    );
    for (const [method, path] of within) {
      const { status } = await callAs(ours.account, method, path);
      expect([method, path, status]).toEqual([method, path, 404]);
    }
    expect(refusalOf(await sendTo(ours, { destinationId }))).toEqual([404, "DESTINATION_NOT_FOUND"]);
    expect(await dump()).toEqual(before);
    expect(sent).not.toHaveBeenCalled();
  });
});

describe("API §12.4 secrets", () => {
  it("are shown once at creation, and never appear in answers, tables or logs", async () => {
    const lines: string[] = [];
    for (const method of ["line", "failure"] as const) {
      vi.spyOn(log, method).mockImplementation((line: LogLine) => {
        lines.push(JSON.stringify(line));
      });
    }
    const receivers = standIn();
    const hook = await saved(ours, { kind: "webhook", url: `${HOOK_URL}&secrets=1` });
    expect(hook.signingSecret).toMatch(/^whsec_/);
    const again = await saved(ours, { kind: "webhook", url: `${HOOK_URL}&secrets=1` });
    expect(again).toMatchObject({ signingSecret: "null", destination: hook.destination });
    await saved(ours, STORE_BODY);
    for (const body of [STORE_BODY, { destinationId: hook.destination.destinationId }]) {
      const { deliveryId } = await started(ours, body);
      await consumeDelivery(deliveryId);
      await callAs(ours.account, "GET", inWorkspace(ours, `deliveries/${deliveryId}`));
    }
    receivers.answers.push(new TypeError("x"));
    const failing = await started(ours, { destinationId: hook.destination.destinationId });
    await consumeDelivery(failing.deliveryId);
    await callAs(ours.account, "POST", inWorkspace(ours, "destinations"), {
      body: { ...STORE_BODY, endpoint: "https://10.0.0.1/" },
    });

    const texts = [
      JSON.stringify((await callAs(ours.account, "GET", inWorkspace(ours, "destinations"))).body),
      JSON.stringify((await callAs(ours.account, "GET", inWorkspace(ours, "deliveries"))).body),
      JSON.stringify(await selectRows`SELECT * FROM destinations`),
      JSON.stringify(await selectRows`SELECT * FROM deliveries`),
      ...lines,
    ];
    expect(lines.length).toBeGreaterThan(5);
    const secrets = [STORE.secretAccessKey, hook.signingSecret, hook.signingSecret.slice(6), "in-the-query"];
    for (const text of texts) {
      for (const secret of secrets) expect(text).not.toContain(secret);
    }
    for (const line of lines) expect(line).not.toMatch(/hooks\.customer|store\.customer|AKIATEST/);
  });

  it("are deleted with the destination", async () => {
    const { destination } = await saved(ours, { kind: "webhook", url: `${HOOK_URL}&removed=1` });
    const path = inWorkspace(ours, `destinations/${destination.destinationId}`);
    expect((await callAs(ours.account, "DELETE", path)).status).toBe(200);
    const sealed = await selectValue`SELECT sealed FROM destinations
      WHERE destination_id = ${destination.destinationId}`;
    expect(sealed).toBeNull();
    expect((await callAs(ours.account, "DELETE", path)).status).toBe(404);
    expect((await sendTo(ours, { destinationId: destination.destinationId })).status).toBe(404);
    // Saving the same URL again creates a new destination with a new secret.
    const anew = await saved(ours, { kind: "webhook", url: `${HOOK_URL}&removed=1` });
    expect(anew.destination.destinationId).not.toBe(destination.destinationId);
  });
});

describe("refusals", () => {
  it.each([
    ["a private store", { ...STORE_BODY, endpoint: "https://minio.internal" }, 422, "ADDRESS_REFUSED"],
    ["an unknown kind", { kind: "ftp", url: HOOK_URL }, 400, "INVALID_REQUEST"],
    ["an unknown member", { ...WEBHOOK, secret: "x" }, 400, "INVALID_REQUEST"],
    ["nothing", {}, 400, "INVALID_REQUEST"],
    ["a bucket with `..`", { ...STORE_BODY, bucket: "../other" }, 400, "INVALID_REQUEST"],
    ["a prefix with `..`", { ...STORE_BODY, prefix: "a/../../b" }, 400, "INVALID_REQUEST"],
    ["a prefix of two dots", { ...STORE_BODY, prefix: ".." }, 400, "INVALID_REQUEST"],
    ["a prefix that begins with a slash", { ...STORE_BODY, prefix: "/a" }, 400, "INVALID_REQUEST"],
    ["a prefix with a query", { ...STORE_BODY, prefix: "a?uploads" }, 400, "INVALID_REQUEST"],
    ["a key with a line break", { ...STORE_BODY, accessKeyId: "a\nb" }, 400, "INVALID_REQUEST"],
    ["an unknown destination", { destinationId: NOWHERE }, 404, "DESTINATION_NOT_FOUND"],
  ])("%s is refused", async (_, body, status, code) => {
    const answered = await sendTo(ours, body);
    expect(refusalOf(answered)).toEqual([status, code]);
    expect(JSON.stringify(answered.body)).not.toContain(STORE.secretAccessKey);
  });

  it.each([
    ["an unknown event", { events: ["job.started"] }],
    ["a repeated event", { events: ["job.failed", "job.failed"] }],
    ["balance.low without a threshold", { events: ["balance.low"] }],
    ["a threshold without balance.low", { events: ["job.failed"], lowBalanceBelow: 5 }],
  ])("%s is refused", async (_, changes) => {
    const body = { ...WEBHOOK, ...changes };
    const answered = await callAs(ours.account, "POST", inWorkspace(ours, "destinations"), { body });
    expect(refusalOf(answered)).toEqual([400, "INVALID_REQUEST"]);
  });

  it("an expired artifact cannot be delivered", async () => {
    const old = await senderWithPack();
    await execute`UPDATE artifacts SET expires_at = 1 WHERE workspace_id = ${old.workspaceId}`;
    expect(refusalOf(await sendTo(old, WEBHOOK))).toEqual([409, "ARTIFACT_NOT_READY"]);
  });
});

it.each(["DELIVERY_ENCRYPTION_KEY", "DELIVERY_QUEUE"])("501 without %s", async (name) => {
  const settings = { [name]: undefined };
  const answer = await callAs(ours.account, "GET", inWorkspace(ours, "destinations"), { settings });
  expect(refusalOf(answer)).toEqual([501, "SERVICE_NOT_CONFIGURED"]);
});

it("a store's path is part of its address, without a trailing slash", async () => {
  const endpoint = "https://store.customer.example/storage/v1/s3";
  const found = [];
  for (const written of [endpoint, `${endpoint}/`, "https://STORE.customer.example:443/storage/v1/s3"]) {
    found.push((await saved(ours, { ...STORE_BODY, endpoint: written })).destination);
  }
  expect(found[0]).toMatchObject({ endpoint });
  expect(found).toEqual([found[0], found[0], found[0]]);
  for (const other of ["https://store.customer.example", "https://store.customer.example/storage/V1/s3"]) {
    const { destination } = await saved(ours, { ...STORE_BODY, endpoint: other });
    expect(destination).toMatchObject({ endpoint: other });
    expect(destination.destinationId).not.toBe(found[0]?.destinationId);
  }
});

/** Runs the sweep's re-encryption in all databases. */
async function resealAll(keys: Parameters<typeof resealDestinations>[1]): Promise<void> {
  for (const { db } of everyDatabase(boundDatabases())) {
    while ((await resealDestinations(db, keys, 10)) > 0);
  }
}

it("after a change of the encryption key the sweep re-encrypts all secrets, and the old key can be removed", async () => {
  const { destination, signingSecret } = await saved(ours, { kind: "webhook", url: `${HOOK_URL}&key=1` });
  const old = readCapabilities(env).deliveries?.encryption.current ?? new Uint8Array();
  const current = new Uint8Array(32).fill(7);
  await resealAll({ current, previous: old });
  const found = await destinationById.first(await databaseOfWorkspace(ours.workspaceId), {
    workspaceId: ours.workspaceId,
    destinationId: destination.destinationId,
  });
  const plain = await unseal(
    { current, previous: null },
    { workspaceId: ours.workspaceId, destinationId: destination.destinationId },
    found?.sealed ?? "",
  );
  expect(JSON.parse(plain ?? "{}")).toMatchObject({ signingSecret });
  // Restores the key for later tests.
  await resealAll({ current: old, previous: current });
});
