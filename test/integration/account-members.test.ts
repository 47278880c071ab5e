import { describe, expect, it } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { callAs, createAccount } from "../support/accounts.ts";
import { execute, selectRow } from "../support/database.ts";
import { refusalOf } from "../support/refusals.ts";
import type { SeededAccount } from "../support/seed-account.ts";

const pathOf = (owner: SeededAccount, tail: string): string =>
  `/api/account/workspaces/${owner.workspaceId}/${tail}`;

const invite = async (owner: SeededAccount) =>
  (await callAs(owner, "POST", pathOf(owner, "invitations"))).body.data;

const accept = (account: SeededAccount, code: string) =>
  callAs(account, "POST", "/api/account/invitations/accept", { body: { code } });

async function workspaceWithMember(): Promise<{ owner: SeededAccount; member: SeededAccount }> {
  const [owner, member] = [await createAccount(), await createAccount()];
  expect((await accept(member, (await invite(owner)).code)).status).toBe(200);
  return { owner, member };
}

describe("invitations", () => {
  it("let only one of two accounts join that use the same code concurrently", async () => {
    const owner = await createAccount();
    const guests = [await createAccount(), await createAccount(), await createAccount()];
    const { code } = await invite(owner);
    const answers = await Promise.all(guests.map((guest) => accept(guest, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    expect((await callAs(owner, "GET", pathOf(owner, "members"))).body.data.items.length).toBe(2);
  });

  it("cannot be accepted by the workspace's owner, whose role stays and whose code stays valid", async () => {
    const [owner, guest] = [await createAccount(), await createAccount()];
    const { code } = await invite(owner);
    const own = await accept(owner, code);
    expect([own.status, own.body.data.role]).toEqual([200, "owner"]);
    expect((await accept(guest, code)).status).toBe(200);
  });

  it("that are withdrawn, expired or unknown are refused with the same answer", async () => {
    const [owner, guest] = [await createAccount(), await createAccount()];
    const [withdrawn, expired] = [await invite(owner), await invite(owner)];
    const path = pathOf(owner, `invitations/${withdrawn.invitationId}/withdraw`);
    expect((await callAs(owner, "POST", path)).body.data).toEqual({ invitationId: withdrawn.invitationId });
    expect((await callAs(owner, "POST", path)).status).toBe(404);
    await execute`UPDATE workspace_invitations SET expires_at = ${Date.now()}
      WHERE invitation_id = ${expired.invitationId}`;
    for (const code of [withdrawn.code, expired.code, `cpi_${"x".repeat(43)}`, "x"]) {
      expect(refusalOf(await accept(guest, code))).toEqual([404, "INVITATION_NOT_FOUND"]);
    }
    expect((await callAs(guest, "GET", pathOf(owner, "balance"))).status).toBe(404);
  });

  it("store their code as a hash", async () => {
    const owner = await createAccount();
    const { code, invitationId } = await invite(owner);
    const row = await selectRow`SELECT * FROM workspace_invitations
      WHERE invitation_id = ${invitationId}`;
    expect(JSON.stringify(row)).not.toContain(code.slice("cpi_".length));
  });

  it("members and open invitations together stay within the limit", async () => {
    const owner = await createAccount();
    const wanted = LIMITS.membersPerWorkspaceMax + 2;
    const answers = await Promise.all(
      Array.from({ length: wanted }, () => callAs(owner, "POST", pathOf(owner, "invitations"))),
    );
    const made = answers.filter(({ status }) => status === 201).length;
    expect([made, answers.find(({ status }) => status !== 201)?.body.error.code]).toEqual([
      LIMITS.membersPerWorkspaceMax - 1,
      "MEMBER_LIMIT_REACHED",
    ]);
  });
});

it("a member can leave, and can remove no other member", async () => {
  const { owner, member } = await workspaceWithMember();
  const other = await createAccount();
  await accept(other, (await invite(owner)).code);
  const taking = await callAs(member, "POST", pathOf(owner, `members/${other.accountId}/remove`));
  expect(refusalOf(taking)).toEqual([403, "ROLE_INSUFFICIENT"]);
  const leaving = await callAs(member, "POST", pathOf(owner, `members/${member.accountId}/remove`));
  expect(leaving.status).toBe(200);
  expect((await callAs(other, "GET", pathOf(owner, "jobs"))).status).toBe(200);
});
