import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "#api/limits.ts";
import type { AuditEventView } from "#api/schemas/audit.ts";
import { deleteOldEvents } from "#domains/audit/read-audit.ts";
import { changeAccess } from "#domains/workspaces/change-access.ts";
import { grantStatement } from "#domains/workspaces/create-workspace.ts";
import { setSuspended } from "#domains/workspaces/store.ts";
import { addMember, callAs, createAccount } from "../support/accounts.ts";
import { execute } from "../support/database.ts";
import {
  HOOK_URL,
  holdDeliveries,
  inWorkspace,
  type Sender,
  STORE_BODY,
  senderWithPack,
} from "../support/deliveries.ts";
import { databaseOfWorkspace } from "../support/homes.ts";
import { refusalOf } from "../support/refusals.ts";
import { call, createWorkspace } from "../support/workspace.ts";

holdDeliveries();
let owner: Sender;
let secret: string;
beforeAll(async () => {
  owner = await senderWithPack();
  secret = owner.pack.client.secret;
});

type Person = Awaited<ReturnType<typeof createAccount>>;

async function logOf(query = ""): Promise<AuditEventView[]> {
  const answer = await callAs(owner.account, "GET", inWorkspace(owner, `audit${query}`));
  expect(answer.status).toBe(200);
  return answer.body.data.items;
}

/** The log entries of an action, oldest first: type, actor, subject. */
async function added(action: () => Promise<unknown>): Promise<AuditEventView[]> {
  const before = (await logOf())[0]?.eventId ?? "";
  await action();
  return (await logOf()).filter(({ eventId }) => eventId > before).reverse();
}

const asOwner = (method: string, path: string, body?: unknown) =>
  callAs(owner.account, method, inWorkspace(owner, path), body === undefined ? {} : { body });
const byOwner = () => ({
  kind: "account",
  id: owner.account.accountId,
  name: expect.any(String),
  email: expect.stringContaining("@"),
});
const byKey = () => ({ kind: "key", id: owner.pack.client.apiKeyId, name: "First key", email: null });
const typesOf = (events: readonly AuditEventView[]) => events.map(({ type }) => type);

/** Each kind of caller makes each change. Changes whose repetition has no effect are made twice. */
describe("API §23.1 the log has each change once, with its actor", () => {
  it("keys: created, changed, revoked with their descendants", async () => {
    const made = (name: string, scopes: readonly string[]) => asOwner("POST", "api-keys", { name, scopes });
    const parent = (await made("Parent", ["api-keys:write", "jobs:read"])).body.data;
    const [event] = await logOf("?type=key.created&limit=1");
    expect(event).toMatchObject({
      actor: byOwner(),
      subject: { id: parent.apiKeyId, name: "Parent" },
      detail: "api-keys:write jobs:read",
      requestId: expect.any(String),
      credits: null,
    });
    const child = await added(() =>
      call("POST", "/api/v1/api-keys", {
        secret: parent.secret,
        body: { name: "Child", scopes: ["jobs:read"] },
      }),
    );
    expect(child).toMatchObject([
      {
        type: "key.created",
        actor: { kind: "key", id: parent.apiKeyId, name: "Parent" },
        subject: { name: "Child" },
      },
    ]);
    const one = `api-keys/${parent.apiKeyId}`;
    expect(await added(() => asOwner("PATCH", one, { name: "Renamed" }))).toMatchObject([
      { type: "key.changed", actor: byOwner(), subject: { name: "Renamed" } },
    ]);
    const revoked = await added(() => asOwner("POST", `${one}/revoke?cascade=true`));
    expect(typesOf(revoked)).toEqual(["key.revoked", "key.revoked"]);
    expect(revoked.map(({ subject }) => subject.name).sort()).toEqual(["Child", "Renamed"]);
    expect(await added(() => asOwner("POST", `${one}/revoke?cascade=true`))).toEqual([]);
    // A refusal is not logged.
    expect(await added(() => made("Late", ["no:scope"]))).toEqual([]);
  });

  it("members: invited, withdrawn, joined, removed, left", async () => {
    const invite = async (): Promise<{ invitationId: string; code: string }> =>
      (await asOwner("POST", "invitations")).body.data;
    const withdraw = (id: string) => asOwner("POST", `invitations/${id}/withdraw`);
    const accept = (person: Person, code: string) =>
      callAs(person, "POST", "/api/account/invitations/accept", { body: { code } });
    const remove = (by: Person, person: Person) =>
      callAs(by, "POST", inWorkspace(owner, `members/${person.accountId}/remove`));
    const [first, second, third] = [await invite(), await invite(), await invite()];
    const events = await added(async () => {
      await withdraw(first.invitationId);
      await withdraw(first.invitationId);
    });
    expect(events).toMatchObject([
      { type: "member.invitation_withdrawn", actor: byOwner(), subject: { id: first.invitationId } },
    ]);
    const [taken, leaver] = [await createAccount(), await createAccount()];
    const later = await added(async () => {
      await accept(taken, second.code);
      await accept(taken, second.code);
      await accept(leaver, second.code);
      await accept(leaver, third.code);
      await remove(taken, owner.account);
      await remove(owner.account, taken);
      await remove(owner.account, taken);
      await remove(leaver, leaver);
      await remove(owner.account, owner.account);
    });
    const of = (person: Person) => ({ id: person.accountId });
    expect(later).toMatchObject([
      { type: "member.joined", actor: of(taken), subject: of(taken) },
      { type: "member.joined", actor: of(leaver), subject: of(leaver) },
      { type: "member.removed", actor: byOwner(), subject: of(taken) },
      { type: "member.left", actor: of(leaver), subject: of(leaver) },
    ]);
  });

  it.each(["session", "key"])(
    "destinations, by a %s: no secret and only the address's host",
    async (caller) => {
      const ask = (method: string, path: string, body?: unknown) =>
        caller === "session"
          ? asOwner(method, path, body)
          : call(method, `/api/v1/${path}`, { secret, ...(body ? { body } : {}) });
      const actor = caller === "session" ? byOwner() : byKey();
      const hook = { kind: "webhook", url: `${HOOK_URL}&${caller}`, events: ["job.failed"] };
      const store = { ...STORE_BODY, prefix: caller };
      const events = await added(async () => {
        const { destinationId } = (await ask("POST", "destinations", hook)).body.data.destination;
        const one = `destinations/${destinationId}`;
        await ask("POST", "destinations", hook);
        await ask("PATCH", one, { events: ["job.failed", "job.canceled"] });
        await ask("PATCH", one, { events: ["job.failed", "job.canceled"] });
        await ask("POST", `${one}/rotate-secret`);
        await ask("POST", `${one}/enable`);
        await execute`UPDATE destinations SET disabled_at = 1, disabled_code = 'RECEIVER_GONE'
        WHERE destination_id = ${destinationId}`;
        await ask("POST", `${one}/enable`);
        await ask("DELETE", one);
        await ask("DELETE", one);
        await ask("POST", "destinations", store);
        await ask("POST", "destinations", { ...store, secretAccessKey: "another" });
        await ask("POST", "destinations", { ...hook, url: "https://10.0.0.1/x" });
      });
      expect(events.map(({ type, detail }) => [type, detail])).toEqual([
        ["destination.created", "job.failed"],
        ["destination.changed", "job.failed job.canceled"],
        ["destination.secret_changed", null],
        ["destination.enabled", null],
        ["destination.removed", null],
        ["destination.created", null],
        ["destination.secret_changed", null],
      ]);
      for (const event of events) expect(event.actor).toEqual(actor);
      expect(new Set(events.map(({ subject }) => subject.name))).toEqual(
        new Set(["hooks.customer.example", "store.customer.example"]),
      );
      expect(JSON.stringify(await logOf())).not.toMatch(/whsec_|token|\/packs|cpk_/);
    },
  );

  it("share links that grant files", async () => {
    const shares = `/api/v1/artifacts/${owner.pack.artifactId}/shares`;
    const events = await added(async () => {
      await call("POST", shares, { secret, body: { isClean: true } });
      const { shareId } = (await call("POST", shares, { secret, body: {} })).body.data;
      for (const isClean of [false, true, true]) {
        await call("PATCH", `${shares}/${shareId}`, { secret, body: { isClean } });
      }
    });
    expect(events).toMatchObject([
      { type: "share.opened", actor: byKey() },
      { type: "share.opened", actor: byKey() },
    ]);
  });

  it("money and access: ledger events, and operators' changes", async () => {
    const { workspaceId } = owner;
    const db = await databaseOfWorkspace(workspaceId);
    const events = await added(async () => {
      await grantStatement(db, workspaceId, 7, Date.now(), {
        reference: "invoice-1",
        description: "Invoice 1",
      }).run();
      await grantStatement(db, workspaceId, 7, Date.now(), { reference: "invoice-1" }).run();
      const subscription = { kind: "subscription", quotaLimit: 40, period: "month" } as const;
      for (const access of [{ kind: "unlimited" }, subscription, { kind: "credits" }] as const) {
        await changeAccess(db, workspaceId, access, Date.now());
      }
      for (const sinceMs of [1, 2, null, null]) await setSuspended.run(db, { workspaceId, sinceMs });
    });
    // Events of the same millisecond are in no particular order.
    const shown = events.map(({ type, detail, credits, actor }) =>
      [type, detail, credits, actor.kind].join(),
    );
    expect(shown.sort()).toEqual(
      [
        ["credits.added", null, 7, "operator"],
        ["access.changed", "unlimited", null, "operator"],
        ["access.changed", "credits", null, "operator"],
        ["plan.started", "40 credits a month", null, "operator"],
        ["plan.ended", "40 credits a month", null, "operator"],
        ["workspace.suspended", "credits", null, "operator"],
        ["workspace.resumed", "credits", null, "operator"],
      ]
        .map((event) => event.join())
        .sort(),
    );
    const credited = events.find(({ type }) => type === "credits.added");
    expect(credited?.subject).toEqual({ id: null, name: "Invoice 1" });
  });
});

describe("API §23.2 reading", () => {
  it("returns every event once, for pages of any size and event type, and as CSV", async () => {
    const all = await logOf("?limit=100");
    expect(all.length).toBeGreaterThan(20);
    const walked: string[] = [];
    for (let before: string | null = ""; before !== null; ) {
      const path: string = `/api/v1/audit?limit=3${before === "" ? "" : `&before=${before}`}`;
      const { data } = (await call("GET", path, { secret })).body;
      walked.push(...data.items.map(({ eventId }: AuditEventView) => eventId));
      before = data.nextBefore;
    }
    expect(walked).toEqual(all.map(({ eventId }) => eventId));
    for (const type of new Set(typesOf(all))) {
      const ofType = all.filter((event) => event.type === type);
      expect(await logOf(`?limit=100&type=${type}`), type).toEqual(ofType);
    }
    await asOwner("POST", "api-keys", { name: "=HYPERLINK(1)", scopes: ["jobs:read"] });
    const table = await callAs(owner.account, "GET", inWorkspace(owner, "audit?format=csv&limit=2"));
    const next = `</api/account/workspaces/${owner.workspaceId}/audit?format=csv&limit=2&before=`;
    expect(table.headers.get("Link")).toContain(next);
    expect(table.headers.get("Content-Type")).toBe("text/csv; charset=utf-8; header=present");
  });

  it("is allowed to owners and keys with `audit:read`, for their own workspace only", async () => {
    const member = await createAccount();
    await addMember(owner.workspaceId, member.accountId, "member");
    const refused = await callAs(member, "GET", inWorkspace(owner, "audit"));
    expect(refusalOf(refused)).toEqual([403, "ROLE_INSUFFICIENT"]);
    const stranger = await createAccount();
    expect((await callAs(stranger, "GET", inWorkspace(owner, "audit"))).status).toBe(404);
    const other = await createWorkspace({ credits: 5 });
    const { items } = (await call("GET", "/api/v1/audit", { secret: other.secret })).body.data;
    expect(typesOf(items).sort()).toEqual(["credits.added", "key.created"]);
    const without = await createWorkspace({ scopes: ["balance:read", "api-keys:read"] });
    expect(refusalOf(await call("GET", "/api/v1/audit", { secret: without.secret }))).toEqual([
      403,
      "SCOPE_MISSING",
    ]);
    for (const query of ["before=x", "type=key.stolen", "limit=0"]) {
      expect((await call("GET", `/api/v1/audit?${query}`, { secret })).status).toBe(400);
    }
  });

  it("events never change, and the sweep deletes them after 400 days", async () => {
    const db = await databaseOfWorkspace(owner.workspaceId);
    for (const table of ["audit_events", "member_events"]) {
      const of = table === "audit_events" ? db : env.DB;
      await expect(of.prepare(`UPDATE ${table} SET type = 'key.created'`).run()).rejects.toThrow(
        "append-only",
      );
    }
    const known = await logOf("?limit=100");
    await deleteOldEvents(db, Date.now(), 100);
    expect(await logOf("?limit=100")).toEqual(known);
    const nowMs = Date.now() + LIMITS.auditRetentionMs + 1;
    expect(await deleteOldEvents(db, nowMs, 3)).toBeLessThanOrEqual(6);
    while ((await deleteOldEvents(db, nowMs, 50)) + (await deleteOldEvents(env.DB, nowMs, 50)) > 0);
    const left = await logOf("?limit=100");
    // Only the ledger's events remain.
    expect(new Set(typesOf(left))).toEqual(new Set(["credits.added"]));
  });
});
