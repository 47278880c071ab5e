import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import {
  endAllSessions,
  findAccount,
  readOverview,
  resetPassword,
} from "#domains/accounts/operator-access.ts";
import { clock } from "#platform/clock.ts";
import type { Databases } from "#platform/databases/databases.ts";
import { callAs, cookieOf, createPasswordAccount, PASSWORD, signIn } from "../support/accounts.ts";

const databases: Databases = { directory: env.DB, shards: new Map() };
const SESSION = "/api/account/session";
const statusOf = async (cookie: string) => (await callAs({ cookie }, "GET", SESSION)).status;

async function person() {
  const { email, cookie } = await createPasswordAccount();
  const cookies = [cookie, cookieOf(await signIn(email))];
  const account = await findAccount(env.DB, ` ${email.toUpperCase()} `);
  if (account === null) throw new Error("the account is not found by its address");
  return { email, cookies, account };
}

it("an operator's reset sets a new password, and ends the old password and all sessions", async () => {
  const { email, cookies, account } = await person();
  const reset = await resetPassword(databases, account, clock.now());
  expect(reset).toMatchObject({ sessionsEnded: 2 });
  expect(reset?.password).toMatch(/^([a-km-np-z2-9]{5}-){4}[a-km-np-z2-9]{5}$/);
  for (const cookie of cookies) expect(await statusOf(cookie)).toBe(401);
  expect((await signIn(email, PASSWORD)).status).toBe(401);
  const cookie = cookieOf(await signIn(email, reset?.password));
  expect(await statusOf(cookie)).toBe(200);
  const body = { currentPassword: reset?.password, newPassword: "a password of my own" };
  expect((await callAs({ cookie }, "POST", "/api/account/password", { body })).status).toBe(200);
  expect((await signIn(email, "a password of my own")).status).toBe(200);
});

it("of two concurrent resets of a password, one succeeds, and the other gets an error and changes nothing", async () => {
  const { email, account } = await person();
  const resets = await Promise.all([
    resetPassword(databases, account, clock.now()),
    resetPassword(databases, account, clock.now()),
  ]);
  const [done] = resets.filter((reset) => reset !== null);
  expect(resets.filter((reset) => reset === null)).toHaveLength(1);
  expect((await signIn(email, done?.password)).status).toBe(200);
  const { events } = await readOverview(env.DB, account.accountId);
  expect(events).toMatchObject([{ type: "password_reset", sessionsEnded: 2 }]);
});

it("ending an account's sessions ends all of them, no others, and keeps the password", async () => {
  const [them, us] = [await person(), await person()];
  expect(await endAllSessions(databases, them.account.accountId, 1_000)).toBe(2);
  for (const cookie of them.cookies) expect(await statusOf(cookie)).toBe(401);
  for (const cookie of us.cookies) expect(await statusOf(cookie)).toBe(200);
  expect((await signIn(them.email)).status).toBe(200);
  expect(await readOverview(env.DB, them.account.accountId)).toMatchObject({
    signsInWith: ["credential"],
    sessions: 1,
    workspaces: [{ name: "My workspace", role: "owner" }],
    events: [{ type: "sessions_ended", sessionsEnded: 2, createdAtMs: 1_000 }],
  });
  expect((await readOverview(env.DB, us.account.accountId)).events).toEqual([]);
});

it("a reset is refused for an account without a password and for an unknown address", async () => {
  const { account } = await person();
  expect(await resetPassword(databases, { ...account, passwordHash: null }, clock.now())).toBeNull();
  expect((await readOverview(env.DB, account.accountId)).sessions).toBe(2);
  expect(await findAccount(env.DB, "nobody@accounts.example")).toBeNull();
});
