import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { clock } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import worker from "../../src/worker.ts";
import { callAs, cookieOf, createPasswordAccount, newEmail, PASSWORD } from "../support/accounts.ts";
import { execute, selectRows, selectValue } from "../support/database.ts";
import { isOnShards } from "../support/homes.ts";
import {
  askForReset,
  confirm,
  kindsTo,
  MAIL,
  mailCall,
  mailsTo,
  resetTo,
  signUpByMail,
  tokenTo,
} from "../support/mail.ts";
import { refusalOf } from "../support/refusals.ts";
import { type Answer, call } from "../support/workspace.ts";

const NEW_PASSWORD = "another one of four words";

/** Parts of an answer that could distinguish two cases. */
const shownOf = ({ status, body, headers }: Answer) => ({
  status,
  data: body.data,
  error: body.error && { ...body.error, requestId: null },
  headers: [...headers.keys()].sort(),
});

const signIn = (email: string, password = PASSWORD, headers = {}) =>
  mailCall("POST", "/api/account/sign-in", { email, password }, headers);

const accountOf = async (cookie: string) =>
  (await mailCall("GET", "/api/account/session", undefined, { Cookie: cookie })).body.data?.account;

const isConfirmed = (email: string) =>
  selectValue`SELECT is_email_verified FROM accounts WHERE email = ${email}`;

/**
 * The number of database round trips of a request before its answer, by method. Later copies to shards are not counted.
 */
async function crossingsOf(work: () => Promise<Answer>): Promise<Readonly<Record<string, number>>> {
  const spies = { batch: vi.spyOn(env.DB, "batch"), withSession: vi.spyOn(env.DB, "withSession") };
  const counts: Record<string, number> = {};
  const real = worker.fetch;
  const answering = vi.spyOn(worker, "fetch").mockImplementation(async (...sent) => {
    const response = await real(...sent);
    for (const [name, spy] of Object.entries(spies)) counts[name] = spy.mock.calls.length;
    return response;
  });
  await work();
  for (const spy of [...Object.values(spies), answering]) spy.mockRestore();
  return counts;
}

describe("a sign-up", () => {
  it("sends one link in the requested language, which confirms the address without a session", async () => {
    const email = newEmail();
    const signedUp = await signUpByMail(email, { language: "de" });
    expect([signedUp.status, signedUp.body.data]).toEqual([202, { email }]);
    const [mail, ...others] = await mailsTo(email);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      kind: "confirm-address",
      address: email,
      language: "de",
      facts: { name: "Ada" },
    });
    expect(mail?.link).toMatch(/^https:\/\/packs\.example\/confirm-email#[\w.-]+$/);
    const cookie = cookieOf(await signIn(email));
    expect(await accountOf(cookie)).toMatchObject({ isEmailConfirmed: false, language: "de" });
    const confirmed = await confirm(await tokenTo(email));
    expect([confirmed.status, confirmed.body.data]).toEqual([200, { email }]);
    expect(confirmed.headers.getSetCookie()).toEqual([]);
    expect(await accountOf(cookie)).toMatchObject({ isEmailConfirmed: true });
  });

  it("is confirmed by two concurrent requests and by a later one with the same link, with one effect", async () => {
    const email = newEmail();
    await signUpByMail(email);
    const token = await tokenTo(email);
    const answers = await Promise.all([confirm(token), confirm(token)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await confirm(token)).status).toBe(200);
    expect(
      await selectValue`SELECT COUNT(*) FROM account_sessions s JOIN accounts a USING (account_id)
      WHERE a.email = ${email}`,
    ).toBe(0);
  });

  it("gets one free size with FREE_SIZE, no matter how often the link is opened", async () => {
    const email = newEmail();
    await signUpByMail(email);
    const body = { token: await tokenTo(email) };
    const open = (FREE_SIZE: string) =>
      mailCall("POST", "/api/account/email/confirm", body, {}, { FREE_SIZE });
    const granted = () =>
      selectValue`SELECT group_concat(e.amount || ' ' || e.description) FROM ledger_events e
        JOIN workspace_members m USING (workspace_id) JOIN accounts a USING (account_id) WHERE a.email = ${email}`;
    expect((await open("off")).status).toBe(200);
    expect(await granted()).toBeNull();
    const answers = await Promise.all([open("on"), open("on")]);
    expect([...answers, await open("on")].map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await granted()).toBe("1 Free size for a confirmed address");
  });

  it("with a taken address has the same answer and database round trips as with a new one, but sends nothing", async () => {
    const email = newEmail();
    const answers: Answer[] = [];
    const signUp = async () => {
      answers.push(await signUpByMail(email));
      return answers[answers.length - 1] as Answer;
    };
    // The first request of an environment also initialises the library.
    await signUpByMail(newEmail());
    const [first, second] = [await crossingsOf(signUp), await crossingsOf(signUp)];
    expect(first.batch).toBeGreaterThan(0);
    expect(second).toEqual(first);
    const [free, taken] = answers.map(shownOf);
    expect(taken).toEqual(free);
    expect(await kindsTo(email)).toEqual(["confirm-address"]);
  });

  it("needs no confirmation if no mail is configured, and sets no cookie", async () => {
    const email = newEmail();
    const answer = await call("POST", "/api/account/sign-up", {
      headers: { Origin: "https://packs.example", "CF-Connecting-IP": "192.0.2.77" },
      body: { name: "Ada", email, password: PASSWORD },
    });
    expect([answer.status, answer.headers.getSetCookie(), await kindsTo(email)]).toEqual([202, [], []]);
    const asked = await callAs(await createPasswordAccount(), "POST", "/api/account/email/confirmation");
    expect(refusalOf(asked)).toEqual([501, "SERVICE_NOT_CONFIGURED"]);
  });

  it.each([
    ["nothing", "x"],
    ["an altered token", "eyJhbGciOiJIUzI1NiJ9.eyJlbWFpbCI6ImFAYi5leGFtcGxlIn0.AAAA"],
    ["a token of a change that was never requested", `cpa_${newId()}_${"A".repeat(43)}`],
  ])("POST /email/confirm 403 LINK_INVALID for %s", async (_, token) => {
    expect(refusalOf(await confirm(token))).toEqual([403, "LINK_INVALID"]);
  });

  it("POST /email/confirm 403 LINK_INVALID a day after sign-up", async () => {
    const email = newEmail();
    await signUpByMail(email);
    const token = await tokenTo(email);
    const later = Date.now() + LIMITS.confirmationLifetimeMs + 1_000;
    vi.useFakeTimers({ now: later, toFake: ["Date"] });
    try {
      expect(refusalOf(await confirm(token))).toEqual([403, "LINK_INVALID"]);
    } finally {
      vi.useRealTimers();
    }
    expect(await isConfirmed(email)).toBe(0);
  });
});

it("the confirmation mail can be requested again a few times an hour, until the address is confirmed", async () => {
  const { cookie, email } = await createPasswordAccount();
  const again = () => mailCall("POST", "/api/account/email/confirmation", undefined, { Cookie: cookie });
  const first = await again();
  expect([first.status, first.body.data]).toEqual([202, { email }]);
  for (let time = 1; time < 15; time += 1) expect((await again()).status).toBe(202);
  const refused = await again();
  expect(refusalOf(refused)).toEqual([429, "MAIL_LIMIT_REACHED"]);
  expect(refused.headers.get("Retry-After")).toBe("3600");
  expect(await kindsTo(email)).toHaveLength(15);
  expect((await confirm(await tokenTo(email))).status).toBe(200);
  expect((await again()).status).toBe(202);
  expect(await kindsTo(email)).toHaveLength(15);
});

describe("a password reset", () => {
  /** An account with two sessions. */
  async function person() {
    const { email, cookie, accountId } = await createPasswordAccount();
    return { email, accountId, cookies: [cookie, cookieOf(await signIn(email))] };
  }

  it("ends all sessions, confirms the address, and is recorded in the account", async () => {
    const { email, accountId, cookies } = await person();
    expect((await askForReset(email)).status).toBe(202);
    const [mail] = await mailsTo(email);
    expect(mail).toMatchObject({ kind: "reset-password", facts: { name: "Ada" } });
    expect(mail?.link).toMatch(/^https:\/\/packs\.example\/reset-password#\w+$/);
    const reset = await resetTo(await tokenTo(email), NEW_PASSWORD);
    expect([reset.status, reset.body.data]).toEqual([200, { changed: true }]);
    expect(reset.headers.getSetCookie()).toEqual([]);
    for (const cookie of cookies) expect(await accountOf(cookie)).toBeUndefined();
    expect((await signIn(email)).status).toBe(401);
    expect((await signIn(email, NEW_PASSWORD)).status).toBe(200);
    expect(await isConfirmed(email)).toBe(1);
    const results =
      await selectRows`SELECT type, sessions_ended FROM account_events WHERE account_id = ${accountId}`;
    expect(results).toEqual([{ type: "password_reset_by_mail", sessions_ended: 2 }]);
  });

  it("uses a link that works once, even for two concurrent requests, and invalidates the account's other links", async () => {
    const { email } = await person();
    await askForReset(email);
    const other = await tokenTo(email);
    await askForReset(email);
    const token = await tokenTo(email);
    const answers = await Promise.all([resetTo(token, NEW_PASSWORD), resetTo(token, `${NEW_PASSWORD} 2`)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
    const winner = answers[0]?.status === 200 ? NEW_PASSWORD : `${NEW_PASSWORD} 2`;
    expect((await signIn(email, winner)).status).toBe(200);
    for (const used of [token, other]) {
      expect(refusalOf(await resetTo(used, "yet another of four"))).toEqual([403, "LINK_INVALID"]);
    }
  });

  it("uses a link that works for 30 minutes, or until the password is changed in another way", async () => {
    const { email, cookies } = await person();
    await askForReset(email);
    const token = await tokenTo(email);
    const nowMs = Date.now();
    vi.spyOn(clock, "now").mockImplementation(() => nowMs + LIMITS.passwordResetLifetimeMs);
    expect(refusalOf(await resetTo(token, NEW_PASSWORD))).toEqual([403, "LINK_INVALID"]);
    vi.restoreAllMocks();
    const change = { currentPassword: PASSWORD, newPassword: "a password of my own" };
    await mailCall("POST", "/api/account/password", change, { Cookie: cookies[0] ?? "" });
    expect(refusalOf(await resetTo(token, NEW_PASSWORD))).toEqual([403, "LINK_INVALID"]);
    expect((await signIn(email, "a password of my own")).status).toBe(200);
  });

  it("leaves no session for a concurrent sign-in with the old password", async () => {
    const { email, accountId } = await person();
    await askForReset(email);
    const token = await tokenTo(email);
    const [signedIn, reset] = await Promise.all([signIn(email), resetTo(token, NEW_PASSWORD)]);
    expect(reset.status).toBe(200);
    expect([200, 401]).toContain(signedIn.status);
    expect(await selectValue`SELECT COUNT(*) FROM account_sessions WHERE account_id = ${accountId}`).toBe(0);
  });

  it("POST /password/reset 202 is the same for an address with an account, without an account, or without a password", async () => {
    const { email } = await person();
    const provided = await createPasswordAccount();
    await execute`DELETE FROM account_credentials WHERE account_id = ${provided.accountId}`;
    const unknown = newEmail();
    const answers = await Promise.all([email, unknown, provided.email].map(askForReset));
    const [known, ...others] = answers.map((answer) => ({ ...shownOf(answer), data: null }));
    for (const other of others) expect(other).toEqual(known);
    expect(answers.map(({ body }) => body.data.email)).toEqual([email, unknown, provided.email]);
    expect(await kindsTo(email)).toEqual(["reset-password"]);
    expect([await kindsTo(unknown), await kindsTo(provided.email)]).toEqual([[], []]);
  });

  it("is answered before any work for the address", async () => {
    const { email } = await person();
    const refusing = vi.spyOn(env.DB, "withSession").mockImplementation(() => {
      throw new Error("the database is down");
    });
    for (const address of [email, newEmail()]) expect((await askForReset(address)).status).toBe(202);
    // With shards, each answer is followed by a query for accounts that are not mirrored yet.
    expect(refusing).toHaveBeenCalledTimes(isOnShards() ? 4 : 2);
  });

  it("is 500 and sends nothing if the rate limiter fails", async () => {
    const { email } = await person();
    vi.spyOn(env.RATE_LIMIT_WINDOW, "get").mockImplementation(() => {
      throw new Error("the counter is down");
    });
    expect(refusalOf(await askForReset(email))).toEqual([500, "INTERNAL_ERROR"]);
    vi.restoreAllMocks();
    expect(await kindsTo(email)).toEqual([]);
  });

  it("for an unconfirmed address removes sign-in by a provider", async () => {
    const { email, accountId } = await person();
    await execute`INSERT INTO account_credentials
      (credential_id, account_id, provider_id, provider_account_id, created_at, updated_at)
      VALUES (${newId()}, ${accountId}, 'github', ${newId()}, 1, 1)`;
    await askForReset(email);
    await resetTo(await tokenTo(email), NEW_PASSWORD);
    expect(await selectValue`SELECT COUNT(*) FROM account_credentials WHERE account_id = ${accountId}`).toBe(
      1,
    );
  });

  it("stores no token in plain text", async () => {
    const { email } = await person();
    await askForReset(email);
    const token = await tokenTo(email);
    const results = await selectRows`SELECT identifier, value FROM account_verifications`;
    expect(JSON.stringify(results)).not.toContain(token);
    expect(MAIL.MAIL_FROM).toBeDefined();
  });
});
