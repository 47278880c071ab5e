import { beforeAll, describe, expect, it, vi } from "vitest";
import { SCOPES, type Scope } from "#api/scopes.ts";
import { type LogLine, log } from "#platform/log/log.ts";
import { addMember, callAs, createAccount } from "../support/accounts.ts";
import { execute, selectRows } from "../support/database.ts";
import {
  HOOK_URL,
  holdDeliveries,
  inWorkspace,
  type Sender,
  STORE,
  STORE_BODY,
  senderWithPack,
} from "../support/deliveries.ts";
import { refusalOf } from "../support/refusals.ts";
import { type Answer, call } from "../support/workspace.ts";

holdDeliveries();
let owner: Sender;
let secret: string;
const keyWith = async (scopes: readonly Scope[]): Promise<{ secret: string; apiKeyId: string }> => {
  const body = { name: "Terraform", scopes };
  return (await callAs(owner.account, "POST", inWorkspace(owner, "api-keys"), { body })).body.data;
};
beforeAll(async () => {
  owner = await senderWithPack();
  ({ secret } = await keyWith(["destinations:write"]));
});

type Ask = (method: string, path: string, body?: unknown) => Promise<Answer>;
const sent = (body: unknown) => (body === undefined ? {} : { body });
const byKey: Ask = (method, path, body) => call(method, `/api/v1/${path}`, { secret, ...sent(body) });
const bySession: Ask = (method, path, body) =>
  callAs(owner.account, method, inWorkspace(owner, path), sent(body));

const hook = (name: string, more: object = {}) => ({
  kind: "webhook",
  url: `${HOOK_URL}&n=${name}`,
  ...more,
});

/** Members of an answer that differ between two otherwise identical destinations. */
const OWN =
  /whsec_[\w+/=]+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|"\d{4}-[^"]+Z"|"created\w+":(null|\{[^}]+\}|"[^"]+")|"nextBefore":[^}]+/g;

/** Every answer of a destination's life, in order. */
async function lifeOf(ask: Ask, name: string): Promise<string[]> {
  const answers: Answer[] = [];
  const step = async (...asked: Parameters<Ask>) => {
    const answer = await ask(...asked);
    answers.push(answer);
    return answer.body.data;
  };
  const events = ["job.failed"];
  const { destinationId } = (await step("POST", "destinations", hook(name, { events }))).destination;
  const one = `destinations/${destinationId}`;
  await step("POST", "destinations", hook(name, { events }));
  await step("GET", one);
  await step("PATCH", one, { events: ["job.failed", "balance.low"], lowBalanceBelow: 9 });
  await step("PATCH", one, { lowBalanceBelow: 7 });
  await step("PATCH", one, { events: ["job.failed"] });
  await step("PATCH", one, { events: ["balance.low"] });
  await step("PATCH", one, { lowBalanceBelow: 5 });
  await step("PATCH", one, { secretAccessKey: "x" });
  await step("PATCH", one, { url: HOOK_URL });
  await step("PATCH", one, {});
  const { deliveryId } = await step("POST", `${one}/test`);
  await step("POST", `${one}/test`);
  await step("GET", `deliveries/${deliveryId}`);
  await step("POST", `deliveries/${deliveryId}/retry`);
  for (let times = 0; times < 6; times += 1) await step("POST", `${one}/rotate-secret`);
  await execute`UPDATE destinations SET disabled_at = 1, disabled_code = 'RECEIVER_GONE'
    WHERE destination_id = ${destinationId}`;
  await step("POST", `${one}/test`);
  await step("POST", `${one}/enable`);
  await step("DELETE", one);
  await step("GET", one);
  await step("DELETE", one);
  const store = (await step("POST", "destinations", { ...STORE_BODY, prefix: name })).destination;
  await step("PATCH", `destinations/${store.destinationId}`, { secretAccessKey: "another-secret" });
  await step("PATCH", `destinations/${store.destinationId}`, { events: [] });
  await step("DELETE", `destinations/${store.destinationId}`);
  await step("POST", "destinations", hook("x", { url: "https://10.0.0.1/packs" }));
  await step("POST", "destinations", { ...STORE_BODY, endpoint: "https://minio.internal" });
  await step("GET", "deliveries?limit=1");
  return answers.map(({ status, body }) =>
    `${status} ${JSON.stringify(body.data ?? body.error)}`.replace(OWN, "…").replaceAll(name, "NAME"),
  );
}

it("API §12.12, §12.13 sessions and keys get the same answers through a destination's whole life", async () => {
  const ofKey = await lifeOf(byKey, "made-by-key");
  expect(ofKey).toEqual(await lifeOf(bySession, "made-by-session"));
  const statuses = ofKey.map((text) => text.slice(0, 3)).join(" ");
  expect(statuses).toBe(
    "201 200 200 200 200 200 400 400 400 400 200 202 202 200 409 200 200 200 200 409 409 409 200 200 404 404 201 200 400 200 422 422 200",
  );
});

describe("API §12.12 the scope", () => {
  it("is required for every operation, including reads, and no other scope suffices", async () => {
    const others = await keyWith(SCOPES.filter((scope) => scope !== "destinations:write"));
    for (const [method, path] of [
      ...([
        ["GET", "destinations"],
        ["POST", "destinations"],
        ["GET", "deliveries"],
      ] as const),
      ["POST", `artifacts/${owner.pack.artifactId}/destinations`] as const,
      ...(["GET", "PATCH", "DELETE"] as const).map(
        (verb) => [verb, `destinations/${owner.workspaceId}`] as const,
      ),
    ]) {
      const answer = await call(method, `/api/v1/${path}`, {
        ...(method === "GET" || method === "DELETE" ? {} : { body: hook("x") }),
        secret: others.secret,
      });
      expect(refusalOf(answer), `${method} ${path}`).toEqual([403, "SCOPE_MISSING"]);
    }
    expect((await byKey("GET", "destinations")).body.data.items).toEqual([]);
  });

  it("does not allow sending a pack, which requires `artifacts:read`", async () => {
    const path = `artifacts/${owner.pack.artifactId}/destinations`;
    const refused = await byKey("POST", path, hook("sent"));
    expect(refusalOf(refused)).toEqual([403, "SCOPE_MISSING"]);
    expect(refused.body.error.details.requiredScope).toBe("artifacts:read");
    const both = await keyWith(["destinations:write", "artifacts:read"]);
    const begun = await call("POST", `/api/v1/${path}`, { secret: both.secret, body: hook("sent") });
    expect(begun.status).toBe(202);
    const { deliveryId, destinationId } = begun.body.data;
    expect(begun.headers.get("Location")).toBe(`/api/v1/deliveries/${deliveryId}`);
    expect((await byKey("GET", `destinations/${destinationId}`)).body.data).toMatchObject({
      createdBy: null,
      createdByKeyId: both.apiKeyId,
    });
  });

  it("lets a session key create destinations of its account, which pause when the account leaves, unlike those of other keys", async () => {
    const member = await createAccount();
    await addMember(owner.workspaceId, member.accountId, "member");
    const session = (await callAs(member, "POST", inWorkspace(owner, "session-key"))).body.data.secret;
    const made = await call("POST", "/api/v1/destinations", { secret: session, body: hook("person") });
    const theirs = made.body.data.destination;
    expect(theirs).toMatchObject({ createdBy: { accountId: member.accountId }, createdByKeyId: null });
    const { destination } = (await byKey("POST", "destinations", hook("machine"))).body.data;
    await callAs(owner.account, "POST", inWorkspace(owner, `members/${member.accountId}/remove`));
    const statusOf = async (id: string) => (await byKey("GET", `destinations/${id}`)).body.data.status;
    expect(await statusOf(theirs.destinationId)).toBe("paused");
    expect(await statusOf(destination.destinationId)).toBe("active");
    const enabled = await byKey("POST", `destinations/${theirs.destinationId}/enable`);
    expect(refusalOf(enabled)).toEqual([403, "ROLE_INSUFFICIENT"]);
    expect(await statusOf(theirs.destinationId)).toBe("paused");
  });
});

it("secrets appear in the answer that creates them, and in no other answer, table or log line", async () => {
  const lines: string[] = [];
  for (const method of ["line", "failure"] as const) {
    vi.spyOn(log, method).mockImplementation((line: LogLine) => {
      lines.push(JSON.stringify(line));
    });
  }
  const { destination, signingSecret } = (await byKey("POST", "destinations", hook("secret"))).body.data;
  const store = (await byKey("POST", "destinations", STORE_BODY)).body.data.destination;
  const texts = [
    await byKey("POST", "destinations", hook("secret")),
    await byKey("GET", `destinations/${destination.destinationId}`),
    await byKey("PATCH", `destinations/${store.destinationId}`, { secretAccessKey: STORE.secretAccessKey }),
    await byKey("POST", "destinations", {
      ...STORE_BODY,
      endpoint: "https://user:hidden@store.customer.example",
    }),
    await byKey("DELETE", `destinations/${destination.destinationId}`),
    await byKey("GET", "destinations"),
  ].map(({ body }) => JSON.stringify(body));
  texts.push(JSON.stringify(await selectRows`SELECT * FROM destinations`), ...lines);
  expect(lines.length).toBeGreaterThan(5);
  for (const text of texts) {
    for (const hidden of [signingSecret.slice(6), STORE.secretAccessKey, "in-the-query", "hidden"]) {
      expect(text).not.toContain(hidden);
    }
  }
  for (const line of lines) expect(line).not.toMatch(/hooks\.customer|store\.customer|AKIATEST/);
});

it("a key that is revoked while its request waits changes nothing", async () => {
  const doomed = await keyWith(["destinations:write"]);
  const digest = crypto.subtle.digest.bind(crypto.subtle);
  // The request computes the hash of the URL between the check of its key and its write.
  vi.spyOn(crypto.subtle, "digest").mockImplementation(async (...asked) => {
    await execute`UPDATE api_keys SET revoked_at = 1 WHERE api_key_id = ${doomed.apiKeyId}`;
    return digest(...asked);
  });
  const answer = await call("POST", "/api/v1/destinations", { secret: doomed.secret, body: hook("late") });
  vi.restoreAllMocks();
  expect(refusalOf(answer)).toEqual([401, "KEY_REVOKED"]);
  const { items } = (await byKey("GET", "destinations")).body.data;
  expect(
    items.filter(({ createdByKeyId }: { createdByKeyId: unknown }) => createdByKeyId === doomed.apiKeyId),
  ).toEqual([]);
});
