import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { familyWindowMs, ROUTE_FAMILIES } from "#api/limits.ts";
import { newId } from "#platform/ids.ts";
import { addMember, callAs, createAccount, newEmail } from "../support/accounts.ts";
import { type ReadyPack, readyPack } from "../support/artifacts.ts";
import { execute, selectValue } from "../support/database.ts";
import { freezeClock } from "../support/freeze-clock.ts";
import { kindsTo, MAIL, mailCall, mailsTo } from "../support/mail.ts";
import { refusalOf, waitOf } from "../support/refusals.ts";
import type { SeededAccount } from "../support/seed-account.ts";
import { type HeldShare, revoke, shareOf } from "../support/shares.ts";
import { type Answer, call } from "../support/workspace.ts";

const setConfirmed = (accountId: string, isConfirmed: boolean) =>
  execute`UPDATE accounts SET is_email_verified = ${Number(isConfirmed)} WHERE account_id = ${accountId}`;

async function confirmedOwner(): Promise<SeededAccount> {
  const owner = await createAccount();
  await setConfirmed(owner.accountId, true);
  return owner;
}

describe("an invitation", () => {
  const invite = (owner: SeededAccount, body?: object) =>
    mailCall("POST", `/api/account/workspaces/${owner.workspaceId}/invitations`, body, {
      Cookie: owner.cookie,
    });
  const openOf = (owner: SeededAccount) =>
    selectValue`SELECT COUNT(*) FROM workspace_invitations WHERE workspace_id = ${owner.workspaceId}`;

  it("is mailed as a link with the code, which adds the account to the workspace", async () => {
    const [owner, guest] = [await confirmedOwner(), await createAccount()];
    const email = newEmail();
    const invited = await invite(owner, { email: email.toUpperCase(), language: "de" });
    expect(invited.status, JSON.stringify(invited.body)).toBe(201);
    const { code } = invited.body.data;
    expect(await mailsTo(email)).toMatchObject([
      {
        kind: "invitation",
        language: "de",
        facts: { workspaceName: "My workspace", inviterName: "Ada" },
        link: `https://packs.example/invitation#${code}`,
      },
    ]);
    const stored = await env.DB.prepare("SELECT * FROM mail_messages WHERE address = ?1").bind(email).all();
    expect(JSON.stringify(stored.results)).not.toContain(code);
    const accepted = await callAs(guest, "POST", "/api/account/invitations/accept", { body: { code } });
    expect(accepted.body.data).toMatchObject({ workspaceId: owner.workspaceId, role: "member" });
  });

  it("is refused if the sender is unconfirmed, and if mail is not configured", async () => {
    const owner = await createAccount();
    const email = newEmail();
    expect(refusalOf(await invite(owner, { email }))).toEqual([403, "EMAIL_NOT_CONFIRMED"]);
    const path = `/api/account/workspaces/${owner.workspaceId}/invitations`;
    const unset = await callAs(owner, "POST", path, { body: { email } });
    expect(refusalOf(unset)).toEqual([501, "SERVICE_NOT_CONFIGURED"]);
    expect([await openOf(owner), await kindsTo(email)]).toEqual([0, []]);
  });

  it("429 MAIL_LIMIT_REACHED, and not created, if its address got ten mails from any senders that day", async () => {
    freezeClock();
    const email = newEmail();
    const [one, other] = [await confirmedOwner(), await confirmedOwner()];
    for (let time = 0; time < 5; time += 1) {
      expect((await invite(one, { email })).status).toBe(201);
      expect((await invite(other, { email })).status).toBe(201);
    }
    const refused = await invite(await confirmedOwner(), { email });
    expect(refusalOf(refused)).toEqual([429, "MAIL_LIMIT_REACHED"]);
    expect(waitOf(refused)).toEqual([3_600, "0", 3_600]);
    expect([await openOf(one), (await kindsTo(email)).length]).toEqual([5, 10]);
  });

  it("429 RATE_LIMITED for a workspace that has sent its daily maximum", async () => {
    const owner = await confirmedOwner();
    const limit = ROUTE_FAMILIES["workspace-mail"];
    const name = `workspace-mail:${owner.workspaceId}`;
    const window = env.RATE_LIMIT_WINDOW.get(env.RATE_LIMIT_WINDOW.idFromName(name));
    for (let used = 1; used < limit; used += 1) {
      await window.count(limit, familyWindowMs("workspace-mail"), Date.now());
    }
    expect((await invite(owner, { email: newEmail() })).status).toBe(201);
    expect(refusalOf(await invite(owner, { email: newEmail() }))).toEqual([429, "RATE_LIMITED"]);
    for (const body of [undefined, {}]) expect((await invite(owner, body)).status).toBe(201);
  });

  it("to a full workspace is 409, without a mail", async () => {
    const owner = await confirmedOwner();
    const email = newEmail();
    await execute`WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 49)
      INSERT INTO workspace_invitations SELECT ${owner.workspaceId} || n, ${owner.workspaceId}, ${owner.workspaceId} || n, 1,
      ${Date.now() + 60_000} FROM numbers`;
    expect(refusalOf(await invite(owner, { email }))).toEqual([409, "MEMBER_LIMIT_REACHED"]);
    expect(await kindsTo(email)).toEqual([]);
  });

  it("whose write fails leaves neither code nor mail", async () => {
    const owner = await confirmedOwner();
    const email = newEmail();
    vi.spyOn(env.DB, "batch").mockRejectedValueOnce(new Error("lost"));
    expect((await invite(owner, { email })).status).toBe(500);
    expect([await openOf(owner), await kindsTo(email)]).toEqual([0, []]);
  });
});

describe("a share link", () => {
  let pack: ReadyPack;
  let owner: SeededAccount;
  let held: HeldShare;
  beforeAll(async () => {
    pack = await readyPack();
    owner = await confirmedOwner();
    await addMember(pack.client.workspaceId, owner.accountId, "owner");
    held = await shareOf(pack, { name: "First round" });
  });

  const mail = ({ share }: HeldShare, body: object, secret = pack.client.secret): Promise<Answer> =>
    call("POST", `/api/v1/artifacts/${pack.artifactId}/shares/${share.shareId}/mail`, {
      secret,
      body: { language: "en", ...body },
      settings: MAIL,
    });

  /** A key of the owner's session, like the one that the Studio uses. */
  async function sessionKey(): Promise<string> {
    const path = `/api/account/workspaces/${pack.client.workspaceId}/session-key`;
    return (await callAs(owner, "POST", path)).body.data.secret;
  }

  /** A link that the owner created in the Studio. */
  async function ownersLink(): Promise<HeldShare> {
    const client = { ...pack.client, secret: await sessionKey() };
    return shareOf({ ...pack, client }, { name: "First round" });
  }

  const say = (token: string, body: object) =>
    call("POST", `/api/v1/shared/${token}/comments`, {
      headers: { "CF-Connecting-IP": `2a02:${Math.floor(Math.random() * 65_536).toString(16)}::1` },
      settings: MAIL,
      body: { name: "Grace", ...body },
    });

  it("API §18.7 is mailed with its page's URL, in the sender's name, and a message", async () => {
    const email = newEmail();
    const mailed = await mail(held, { email, message: " Is this good to go? " });
    expect([mailed.status, mailed.body.data]).toEqual([202, { email }]);
    expect(await mailsTo(email)).toMatchObject([
      {
        kind: "approval-asked",
        facts: { packName: "First round", senderName: "Test", message: "Is this good to go?" },
        link: held.share.url,
      },
    ]);
    const other = newEmail();
    await mail(held, { email: other, message: "" }, await sessionKey());
    expect((await mailsTo(other))[0]?.facts).toMatchObject({ senderName: "Ada", message: null });
  });

  it("API §18.7 a verdict, but not a comment, is mailed to the user who created the link; nothing is mailed for a key's link", async () => {
    const { token } = await ownersLink();
    expect((await say(token, { text: "Nice." })).status).toBe(201);
    expect((await say(held.token, { verdict: "approved" })).status).toBe(201);
    expect(await kindsTo(owner.email)).toEqual([]);
    expect((await say(token, { verdict: "changes-requested" })).status).toBe(201);
    expect(await mailsTo(owner.email)).toMatchObject([
      {
        kind: "approval-given",
        facts: {
          workspaceId: pack.client.workspaceId,
          artifactId: pack.artifactId,
          shareName: "First round",
          visitorName: "Grace",
          verdict: "changes-requested",
        },
      },
    ]);
  });

  it("a verdict is not mailed to a former member, and not if storing it failed", async () => {
    const before = (await kindsTo(owner.email)).length;
    const link = await ownersLink();
    vi.spyOn(env.DB, "batch").mockRejectedValueOnce(new Error("lost"));
    expect((await say(link.token, { verdict: "approved" })).status).toBe(500);
    await execute`UPDATE workspace_members SET role = 'member' WHERE account_id = ${owner.accountId}
      AND workspace_id = ${pack.client.workspaceId}`;
    await execute`DELETE FROM workspace_members WHERE account_id = ${owner.accountId}
      AND workspace_id = ${pack.client.workspaceId}`;
    expect((await say(link.token, { verdict: "approved" })).status).toBe(201);
    await addMember(pack.client.workspaceId, owner.accountId, "owner");
    await revoke(pack, link);
    expect((await say(link.token, { verdict: "approved" })).status).toBe(403);
    expect(await kindsTo(owner.email)).toHaveLength(before);
  });

  it("403 for an expired or revoked link and an unconfirmed owner, 404 for an unknown link, 501 without mail", async () => {
    const ended = await shareOf(pack);
    await revoke(pack, ended);
    const email = newEmail();
    expect(refusalOf(await mail(ended, { email }))).toEqual([403, "LINK_INVALID"]);
    const none = { ...held, share: { ...held.share, shareId: newId() } };
    expect(refusalOf(await mail(none, { email }))).toEqual([404, "SHARE_NOT_FOUND"]);
    const stranger = await readyPack();
    expect(refusalOf(await mail(held, { email }, stranger.client.secret))).toEqual([404, "SHARE_NOT_FOUND"]);
    await setConfirmed(owner.accountId, false);
    expect(refusalOf(await mail(held, { email }))).toEqual([403, "EMAIL_NOT_CONFIRMED"]);
    await setConfirmed(owner.accountId, true);
    const path = `/api/v1/artifacts/${pack.artifactId}/shares/${held.share.shareId}/mail`;
    const unset = await call("POST", path, { secret: pack.client.secret, body: { email, language: "en" } });
    expect(refusalOf(unset)).toEqual([501, "SERVICE_NOT_CONFIGURED"]);
    expect(await kindsTo(email)).toEqual([]);
  });

  it("429 MAIL_LIMIT_REACHED for an address that got ten mails in a day", async () => {
    const email = newEmail();
    const answers = await Promise.all(Array.from({ length: 12 }, () => mail(held, { email })));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
  });
});
