import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { createPasswordAccount, newEmail, PASSWORD } from "../support/accounts.ts";
import { execute, selectRows, selectValue } from "../support/database.ts";
import { freezeClock } from "../support/freeze-clock.ts";
import { askForReset, confirm, kindsTo, mailCall, mailsTo, resetTo, tokenTo } from "../support/mail.ts";
import { refusalOf } from "../support/refusals.ts";
import type { Answer } from "../support/workspace.ts";

const change = (cookie: string, email: string, password = PASSWORD): Promise<Answer> =>
  mailCall("PUT", "/api/account/email", { newEmail: email, password }, { Cookie: cookie });

const addressOf = (accountId: string) =>
  selectValue`SELECT email FROM accounts WHERE account_id = ${accountId}`;

it("the link mailed to the new address applies and confirms it, and the old address is notified", async () => {
  const { accountId, cookie, email } = await createPasswordAccount();
  const next = newEmail();
  const asked = await change(cookie, ` ${next.toUpperCase()}`);
  expect([asked.status, asked.body.data]).toEqual([202, { newEmail: next }]);
  expect([await addressOf(accountId), await kindsTo(email)]).toEqual([email, []]);
  const [mail, ...others] = await mailsTo(next);
  expect([mail?.kind, others]).toEqual(["confirm-address", []]);
  expect(mail?.link).toMatch(/^https:\/\/packs\.example\/confirm-email#cpa_[\w-]+$/);
  const confirmed = await confirm(await tokenTo(next));
  expect([confirmed.status, confirmed.body.data]).toEqual([200, { email: next }]);
  expect(confirmed.headers.getSetCookie()).toEqual([]);
  expect(await mailsTo(email)).toMatchObject([
    { kind: "address-changed", facts: { name: "Ada", newAddress: next }, link: null },
  ]);
  const session = await mailCall("GET", "/api/account/session", undefined, { Cookie: cookie });
  expect(session.body.data.account).toMatchObject({ email: next, isEmailConfirmed: true });
  expect(
    await selectRows`SELECT type, sessions_ended FROM account_events WHERE account_id = ${accountId}`,
  ).toEqual([{ type: "address_changed", sessions_ended: 0 }]);
});

it("a link works once, even for two concurrent requests, and the old address is notified once", async () => {
  const { cookie, email } = await createPasswordAccount();
  const next = newEmail();
  await change(cookie, next);
  const token = await tokenTo(next);
  const answers = await Promise.all([confirm(token), confirm(token)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
  expect(refusalOf(await confirm(token))).toEqual([403, "LINK_INVALID"]);
  expect(await kindsTo(email)).toEqual(["address-changed"]);
});

it("another request replaces the pending request; altered, old and foreign links change nothing", async () => {
  const { accountId, cookie, email } = await createPasswordAccount();
  const [first, second] = [newEmail(), newEmail()];
  await change(cookie, first);
  const ended = await tokenTo(first);
  await change(cookie, second);
  const token = await tokenTo(second);
  const stranger = await createPasswordAccount();
  const altered = [
    ended,
    `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`,
    token.replace(accountId, stranger.accountId),
  ];
  for (const one of altered) expect(refusalOf(await confirm(one))).toEqual([403, "LINK_INVALID"]);
  await execute`UPDATE account_verifications SET expires_at = ${Date.now()} WHERE identifier = ${`change-address:${accountId}`}`;
  expect(refusalOf(await confirm(token))).toEqual([403, "LINK_INVALID"]);
  expect([await addressOf(accountId), await kindsTo(email)]).toEqual([email, []]);
  expect(LIMITS.confirmationLifetimeMs).toBe(86_400_000);
});

it("PUT /email 202 is the same for an address with an account, which gets no mail", async () => {
  const [{ cookie }, taken] = [await createPasswordAccount(), await createPasswordAccount()];
  const crossings = async (address: string) => {
    const [batch, session] = [vi.spyOn(env.DB, "batch"), vi.spyOn(env.DB, "withSession")];
    const { status, headers } = await change(cookie, address);
    const counts = [batch.mock.calls.length, session.mock.calls.length];
    vi.restoreAllMocks();
    return { status, headers: [...headers.keys()].sort(), counts };
  };
  expect(await crossings(taken.email)).toEqual(await crossings(newEmail()));
  expect(await kindsTo(taken.email)).toEqual([]);
});

it("an address that another account takes before the link is opened stays with that account", async () => {
  const { accountId, cookie, email } = await createPasswordAccount();
  const next = newEmail();
  await change(cookie, next);
  const other = await createPasswordAccount();
  await execute`UPDATE accounts SET email = ${next} WHERE account_id = ${other.accountId}`;
  expect(refusalOf(await confirm(await tokenTo(next)))).toEqual([403, "LINK_INVALID"]);
  expect([await addressOf(accountId), await addressOf(other.accountId)]).toEqual([email, next]);
  expect(await kindsTo(email)).toEqual([]);
});

it("PUT /email 401 for a wrong password, 400 for the current address, 429 by requested address", async () => {
  freezeClock();
  const { cookie, email } = await createPasswordAccount();
  expect(refusalOf(await change(cookie, newEmail(), "not the password"))).toEqual([
    401,
    "CREDENTIALS_INVALID",
  ]);
  expect(refusalOf(await change(cookie, email))).toEqual([400, "INVALID_REQUEST"]);
  const next = newEmail();
  for (let time = 0; time < 12; time += 1) expect((await change(cookie, next)).status).toBe(202);
  expect(refusalOf(await change(cookie, next))).toEqual([429, "RATE_LIMITED"]);
});

it("a change of address invalidates password-reset links sent to the old address", async () => {
  const { cookie, email } = await createPasswordAccount();
  await askForReset(email);
  const reset = await tokenTo(email);
  const next = newEmail();
  await change(cookie, next);
  await confirm(await tokenTo(next));
  expect(refusalOf(await resetTo(reset, "another one of four"))).toEqual([403, "LINK_INVALID"]);
});

it("PATCH /language sets the language of later mails", async () => {
  const { cookie } = await createPasswordAccount();
  const headers = { Cookie: cookie };
  const set = await mailCall("PATCH", "/api/account/language", { language: "de" }, headers);
  expect([set.status, set.body.data]).toEqual([200, { language: "de" }]);
  const next = newEmail();
  await change(cookie, next);
  expect(await mailsTo(next)).toMatchObject([{ language: "de" }]);
  const refused = await mailCall("PATCH", "/api/account/language", { language: "xx" }, headers);
  expect(refusalOf(refused)).toEqual([400, "INVALID_REQUEST"]);
});
