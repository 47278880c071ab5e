import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { expectRateLimitHeaders, send } from "../support/client.ts";
import type { Harness } from "../support/harness.ts";
import { type Person, seedPerson, sendAs } from "../support/people.ts";

/** Account sessions in workspaces: balance, usage, keys, jobs, artifacts, members. */
export const accountWorkspaces = (harness: Harness): void => {
  const { service, rich } = harness;
  const at = (workspaceId: string, tail: string) => `/api/account/workspaces/${workspaceId}/${tail}`;
  const own = (person: Person, tail: string) => at(person.workspaceId, tail);

  describe("API §11.1 accounts: workspaces", () => {
    it("API §4.11, §11.1 creating a workspace is 201, a repeat 200, another body with the same key 409, no key 400", async () => {
      const person = await seedPerson(service);
      const idempotencyKey = randomUUID();
      const create = (name: string, key: { idempotencyKey?: string }) =>
        sendAs(service, person, "POST", "/api/account/workspaces", { json: { name }, ...key });
      const first = await create("Spring", { idempotencyKey });
      const again = await create("Spring", { idempotencyKey });
      const other = await create("Autumn", { idempotencyKey });
      const without = await create("Winter", {});
      expect([first, again, other, without].map(({ status }) => status)).toEqual([201, 200, 409, 400]);
      expect(again.body.data).toEqual(first.body.data);
      const listed = await sendAs(service, person, "GET", "/api/account/workspaces");
      expect(listed.status).toBe(200);
      expectRateLimitHeaders(listed);
      expect(listed.body.data.items.map(({ name }: { name: string }) => name)).toEqual([
        "Spring",
        "My workspace",
      ]);
    });

    it("API §11.8 renaming one's own workspace is 200, another's 404", async () => {
      const person = await seedPerson(service);
      const rename = (workspaceId: string) =>
        sendAs(service, person, "PATCH", `/api/account/workspaces/${workspaceId}`, {
          json: { name: "Summer" },
        });
      const renamed = await rename(person.workspaceId);
      expect([renamed.status, renamed.body.data.name]).toEqual([200, "Summer"]);
      const foreign = await rename(rich.workspaceId);
      expect([foreign.status, foreign.body.error.code]).toEqual([404, "WORKSPACE_NOT_FOUND"]);
    });

    it("API §11.2, §11.4 all resources of one's own workspace are 200, of another's 404", async () => {
      const person = await seedPerson(service);
      for (const resource of ["balance", "usage", "api-keys", "jobs", "artifacts", "members"]) {
        const answer = await sendAs(service, person, "GET", own(person, resource));
        expect(answer.status, resource).toBe(200);
        expectRateLimitHeaders(answer);
        const foreign = await sendAs(service, person, "GET", at(rich.workspaceId, resource));
        expect([foreign.status, foreign.body.error.code], resource).toEqual([404, "WORKSPACE_NOT_FOUND"]);
      }
    });

    it("API §11.2 writes to another's workspace are refused as if it were missing", async () => {
      const person = await seedPerson(service);
      const key = { json: { name: "x", scopes: ["balance:read"] } };
      for (const [tail, call] of [
        ["api-keys", key],
        [`api-keys/${rich.apiKeyId}/revoke`, {}],
        [`members/${person.accountId}/remove`, {}],
        ["invitations", {}],
        [`invitations/${randomUUID()}/withdraw`, {}],
      ] as const) {
        for (const workspaceId of [rich.workspaceId, randomUUID()]) {
          const refused = await sendAs(service, person, "POST", at(workspaceId, tail), call);
          expect([refused.status, refused.body.error.code], tail).toEqual([404, "WORKSPACE_NOT_FOUND"]);
        }
      }
    });

    it("API §11.3 creating a first key needs no credits and is 201; revoking it is 200, and a foreign key 404", async () => {
      const person = await seedPerson(service);
      const json = { name: "first", scopes: ["balance:read"] };
      const created = await sendAs(service, person, "POST", own(person, "api-keys"), { json });
      expect(created.status).toBe(201);
      const { apiKeyId, secret } = created.body.data;
      expect((await send(service, "GET", "/api/v1/balance", { key: secret })).status).toBe(200);
      const revoke = (id: string) => sendAs(service, person, "POST", own(person, `api-keys/${id}/revoke`));
      expect((await revoke(apiKeyId)).status).toBe(200);
      expect((await revoke(rich.apiKeyId)).status).toBe(404);
      const bad = await sendAs(service, person, "POST", own(person, "api-keys"), { json: {} });
      expect(bad.status).toBe(400);
    });
  });

  it("API §10.9 creating a session key is 201 and no-store; the key works in its workspace until the session ends", async () => {
    const person = await seedPerson(service);
    const made = await sendAs(service, person, "POST", own(person, "session-key"));
    expect([made.status, made.headers.get("Cache-Control")]).toEqual([201, "no-store"]);
    expectRateLimitHeaders(made);
    const { secret: key, role } = made.body.data;
    expect(role).toBe("owner");
    expect((await send(service, "GET", "/api/v1/jobs", { key })).status).toBe(200);
    const foreign = at(rich.workspaceId, "session-key");
    expect((await sendAs(service, person, "POST", foreign)).status).toBe(404);
    expect((await sendAs(service, person, "POST", "/api/account/sign-out")).status).toBe(200);
    const quote = { key, json: { contractId: "display.v1", selectedSizeIds: ["iab-300x250"], assetIds: {} } };
    expect((await send(service, "POST", "/api/v1/jobs/quote", quote)).status).toBe(401);
  });

  describe("API §11.2 accounts: members", () => {
    it("API §11.2, §11.5, §11.6 an invitation is created with 201 and accepted once with 200; a member may only read and leave", async () => {
      const [owner, guest] = [await seedPerson(service), await seedPerson(service)];
      const invited = await sendAs(service, owner, "POST", own(owner, "invitations"));
      expect(invited.status).toBe(201);
      const { code, invitationId } = invited.body.data;
      const open = await sendAs(service, owner, "GET", own(owner, "members"));
      expect(open.body.data.invitations).toMatchObject([{ invitationId }]);
      expect(JSON.stringify(open.body)).not.toContain(code);
      const accept = (person: Person, json: unknown) =>
        sendAs(service, person, "POST", "/api/account/invitations/accept", { json });
      expect((await accept(guest, {})).status).toBe(400);
      const accepted = await accept(guest, { code });
      expect([accepted.status, accepted.body.data.workspaceId]).toEqual([200, owner.workspaceId]);
      expect((await accept(await seedPerson(service), { code })).status).toBe(404);
      const { items, invitations } = (await sendAs(service, guest, "GET", own(owner, "members"))).body.data;
      expect(items).toMatchObject([
        { accountId: owner.accountId, role: "owner" },
        { accountId: guest.accountId, role: "member" },
      ]);
      expect(invitations).toEqual([]);

      const as = (person: Person, tail: string) => sendAs(service, person, "POST", own(owner, tail));
      const withdraw = `invitations/${invitationId}/withdraw`;
      for (const resource of ["balance", "usage", "api-keys", "jobs", "artifacts", "members"]) {
        const read = await sendAs(service, guest, "GET", own(owner, resource));
        expect(read.status, resource).toBe(200);
      }
      for (const resource of ["audit", "image-secrets"]) {
        const read = await sendAs(service, guest, "GET", own(owner, resource));
        expect([read.status, read.body.error.code], resource).toEqual([403, "ROLE_INSUFFICIENT"]);
      }
      const forOwners = [`api-keys/${randomUUID()}/revoke`, `members/${owner.accountId}/remove`];
      for (const tail of [withdraw, "invitations", ...forOwners]) {
        const refused = await as(guest, tail);
        expect([refused.status, refused.body.error.code], tail).toEqual([403, "ROLE_INSUFFICIENT"]);
      }
      const json = { name: "x", scopes: ["balance:read"] };
      const key = await sendAs(service, guest, "POST", own(owner, "api-keys"), { json });
      expect(key.status).toBe(403);
      expect((await as(owner, withdraw)).status).toBe(404);
      expect((await as(owner, `members/${owner.accountId}/remove`)).status).toBe(409);
      expect((await as(owner, `members/${randomUUID()}/remove`)).status).toBe(404);
      expect((await as(owner, `members/${guest.accountId}/remove`)).status).toBe(200);
      expect((await as(guest, "invitations")).status).toBe(404);

      const another = await as(owner, "invitations");
      const path = `invitations/${another.body.data.invitationId}/withdraw`;
      expect((await as(owner, path)).status).toBe(200);
    });

    it("API §11.1 joining a full workspace, or one workspace too many, is 409", async () => {
      const [owner, guest] = [await seedPerson(service), await seedPerson(service)];
      const invited = await sendAs(service, owner, "POST", own(owner, "invitations"));
      const ids = JSON.stringify(Array.from({ length: 99 }, () => randomUUID()));
      await service.db.batch([
        service.db
          .prepare(
            `INSERT INTO workspaces (workspace_id, name, kind, has_unlimited_access, created_at)
             SELECT value, 'Other', 'standard', 0, 1 FROM json_each(?1)`,
          )
          .bind(ids),
        service.db
          .prepare(
            `INSERT INTO workspace_members (workspace_id, account_id, role, created_at)
             SELECT value, ?2, 'member', 1 FROM json_each(?1)`,
          )
          .bind(ids, guest.accountId),
        service.db
          .prepare(
            `INSERT INTO workspace_invitations (invitation_id, workspace_id, code_hash, created_at, expires_at)
             SELECT value, ?2, value, 1, 9000000000000 FROM json_each(?1)`,
          )
          .bind(ids, owner.workspaceId),
      ]);
      const json = { code: invited.body.data.code };
      const full = await sendAs(service, guest, "POST", "/api/account/invitations/accept", { json });
      expect([full.status, full.body.error.code]).toEqual([409, "WORKSPACE_LIMIT_REACHED"]);
      const crowded = await sendAs(service, owner, "POST", own(owner, "invitations"));
      expect([crowded.status, crowded.body.error.code]).toEqual([409, "MEMBER_LIMIT_REACHED"]);
    });
  });
};
