import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { deleteExpiredAccess } from "#domains/accounts/store.ts";
import { newId } from "#platform/ids.ts";
import { cookieOf, createPasswordAccount, PASSWORD } from "../support/accounts.ts";
import { execute, selectRows, selectValue } from "../support/database.ts";
import { confirm, kindsTo, mailCall, mailsTo, signUpByMail, tokenTo } from "../support/mail.ts";
import { type Answer, call } from "../support/workspace.ts";

const DEVICE = "__Host-cp_device";

const signIn = (email: string, cookie = ""): Promise<Answer> =>
  mailCall("POST", "/api/account/sign-in", { email, password: PASSWORD }, cookie ? { Cookie: cookie } : {});

/** A Cookie header with only the browser's cookie. */
const deviceOf = (answer: Answer): string =>
  cookieOf(answer)
    .split("; ")
    .filter((pair) => pair.startsWith(DEVICE))
    .join("");

async function confirmedPerson() {
  const account = await createPasswordAccount();
  await execute`UPDATE accounts SET is_email_verified = 1 WHERE account_id = ${account.accountId}`;
  return account;
}

const devicesOf = (accountId: string) =>
  selectRows<{
    device_hash: string;
    last_seen_at: number;
  }>`SELECT device_hash, last_seen_at FROM account_devices
    WHERE account_id = ${accountId} ORDER BY last_seen_at`;

it("a new browser is mailed once, and is known from then on", async () => {
  const { email, accountId } = await confirmedPerson();
  const first = await signIn(email);
  const [mail, ...others] = await mailsTo(email);
  expect(others).toEqual([]);
  expect(mail).toMatchObject({
    kind: "new-device",
    facts: { name: "Ada", atMs: expect.any(Number) },
    link: null,
  });
  await signIn(email, deviceOf(first));
  expect(await kindsTo(email)).toHaveLength(1);
  await signIn(email);
  expect(await kindsTo(email)).toHaveLength(2);
  const devices = await devicesOf(accountId);
  expect(devices).toHaveLength(2);
  expect(JSON.stringify(devices)).not.toContain(deviceOf(first).slice(DEVICE.length + 1));
});

it("the browser's cookie is __Host-, HttpOnly, Secure, SameSite=Lax, and stays the same", async () => {
  const { email } = await confirmedPerson();
  const first = await signIn(email);
  const cookie = first.headers.getSetCookie().find((one) => one.startsWith(DEVICE)) ?? "";
  const [pair = "", ...attributes] = cookie.split("; ");
  expect(pair).toMatch(/^__Host-cp_device=[\w-]{43}$/);
  expect(attributes.sort()).toEqual(["HttpOnly", "Max-Age=34560000", "Path=/", "SameSite=Lax", "Secure"]);
  expect(deviceOf(await signIn(email, pair))).toBe(pair);
  // A cookie that the service did not set is ignored.
  expect(deviceOf(await signIn(email, `${DEVICE}=chosen`))).not.toBe(`${DEVICE}=chosen`);
});

it("the browser that signed up never counts as new", async () => {
  const email = `${newId()}@accounts.example`;
  const device = deviceOf(await signUpByMail(email));
  await confirm(await tokenTo(email));
  await signIn(email, device);
  expect(await kindsTo(email)).toEqual(["confirm-address"]);
});

it("signing up with a taken address adds no browser to that account", async () => {
  const { email, accountId } = await confirmedPerson();
  const device = deviceOf(await signUpByMail(email));
  expect(device).not.toBe("");
  expect(await devicesOf(accountId)).toEqual([]);
  await signIn(email, device);
  expect(await kindsTo(email)).toEqual(["new-device"]);
});

it("an unconfirmed address gets no mail, and a wrong password records no browser", async () => {
  const { email, accountId } = await createPasswordAccount();
  await signIn(email);
  expect([await kindsTo(email), (await devicesOf(accountId)).length]).toEqual([[], 1]);
  const body = { email, password: "not the password" };
  expect((await mailCall("POST", "/api/account/sign-in", body)).status).toBe(401);
  expect(await devicesOf(accountId)).toHaveLength(1);
});

it("without mail no browser gets a cookie", async () => {
  const { email, accountId } = await confirmedPerson();
  const answer = await call("POST", "/api/account/sign-in", {
    headers: { Origin: "https://packs.example", "CF-Connecting-IP": "2a00:fffe::1" },
    body: { email, password: PASSWORD },
  });
  expect([answer.status, deviceOf(answer), await devicesOf(accountId)]).toEqual([200, "", []]);
});

it("an account's twenty most recent browsers are stored, and none that was last seen a year ago", async () => {
  const { email, accountId } = await confirmedPerson();
  for (let at = 1; at <= LIMITS.devicesPerAccountMax; at += 1) {
    await execute`INSERT INTO account_devices VALUES (${accountId}, ${`${at}`}, ${at})`;
  }
  await signIn(email);
  const kept = await devicesOf(accountId);
  expect([kept.length, kept[0]?.device_hash]).toEqual([LIMITS.devicesPerAccountMax, "2"]);
  await deleteExpiredAccess(env.DB, LIMITS.deviceRetentionMs + 10, 5);
  expect((await devicesOf(accountId))[0]?.device_hash).toBe("7");
  await deleteExpiredAccess(env.DB, LIMITS.deviceRetentionMs + 10, 100);
  expect((await devicesOf(accountId))[0]?.device_hash).toBe("11");
});

it("a sign-in whose browser cannot be recorded returns no session", async () => {
  const { email } = await confirmedPerson();
  const real = env.DB.batch.bind(env.DB);
  vi.spyOn(env.DB, "batch").mockImplementation((statements) =>
    // The library inserts its session before the browser is recorded.
    statements.length === 3 ? Promise.reject(new Error("lost")) : real(statements),
  );
  const answer = await signIn(email);
  expect([answer.status, await kindsTo(email)]).toEqual([500, []]);
  expect(answer.headers.getSetCookie().some((cookie) => cookie.includes("cp_session"))).toBe(false);
});

it("the sweep deletes expired mailed links", async () => {
  const id = newId();
  await execute`INSERT INTO account_verifications VALUES (${id}, ${id}, 'x', 5, 1, 1)`;
  await deleteExpiredAccess(env.DB, 4, 100);
  expect(await selectValue`SELECT COUNT(*) FROM account_verifications WHERE verification_id = ${id}`).toBe(1);
  await deleteExpiredAccess(env.DB, 5, 100);
  expect(await selectValue`SELECT COUNT(*) FROM account_verifications WHERE verification_id = ${id}`).toBe(0);
});
