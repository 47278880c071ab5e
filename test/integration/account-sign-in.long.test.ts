import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { CLIENT_WINDOWS, LIMITS, ROUTE_FAMILIES } from "#api/limits.ts";
import { hashPassword, verifyPassword } from "#domains/accounts/password/password-hash.ts";
import { clientNetworks } from "#interface/http/client-network.ts";
import { hmacSha256Hex } from "#platform/crypto/hashing.ts";
import {
  callAs,
  cookieOf,
  createPasswordAccount,
  fromOwnNetwork,
  newEmail,
  ORIGIN,
  PASSWORD,
  PASSWORD_HASH,
  signIn,
  signUp,
} from "../support/accounts.ts";
import { execute, selectRows } from "../support/database.ts";
import { freezeClock } from "../support/freeze-clock.ts";
import { refusalOf } from "../support/refusals.ts";
import type { Answer } from "../support/workspace.ts";

/** Parts of an answer that could distinguish two cases. */
const shownOf = ({ status, body, headers }: Answer) => ({
  status,
  error: body.error && { ...body.error, requestId: null },
  headers: [...headers.keys()].sort(),
});

const countOf = async (table: string, email: string): Promise<number> => {
  const row = await env.DB.prepare(
    `SELECT COUNT(*) AS rows FROM ${table} t JOIN accounts a ON a.account_id = t.account_id WHERE a.email = ?1`,
  )
    .bind(email)
    .first<{ rows: number }>();
  return row?.rows ?? 0;
};

/**
 * Fills a window directly until only `left` requests remain, because each attempt through the route hashes a password.
 */
async function fillWindow(name: FilledWindow, subject: string, left: number): Promise<void> {
  const hashed = await hmacSha256Hex(env.AUTH_SECRET ?? "", subject);
  const object = env.RATE_LIMIT_WINDOW.get(env.RATE_LIMIT_WINDOW.idFromName(`${name}:${hashed}`));
  const { limit, windowMs } = WINDOWS[name];
  const used = Array.from({ length: limit - left }, () => object.count(limit, windowMs, Date.now()));
  await Promise.all(used);
}

const WINDOWS = {
  "sign-in": { limit: ROUTE_FAMILIES["sign-in"], windowMs: LIMITS.signInWindowMs },
  "sign-in-email": { limit: ROUTE_FAMILIES["sign-in-email"], windowMs: LIMITS.signInWindowMs },
  ...CLIENT_WINDOWS,
};
type FilledWindow = keyof typeof WINDOWS;

describe("signing up", () => {
  it("creates an account with one workspace, without credits or a session", async () => {
    const email = newEmail();
    const signedUp = await signUp(email);
    expect([signedUp.status, signedUp.body.data]).toEqual([202, { email }]);
    expect(signedUp.headers.getSetCookie()).toEqual([]);
    const cookie = cookieOf(await signIn(email));
    const { body } = await callAs({ cookie }, "GET", "/api/account/workspaces");
    expect(body.data.items).toEqual([
      { workspaceId: expect.any(String), name: "My workspace", role: "owner", createdAt: expect.any(String) },
    ]);
    const { workspaceId } = body.data.items[0];
    const balance = await callAs({ cookie }, "GET", `/api/account/workspaces/${workspaceId}/balance`);
    expect(balance.body.data).toMatchObject({ accessType: "credits", credits: { available: 0 } });
    const usage = await callAs({ cookie }, "GET", `/api/account/workspaces/${workspaceId}/usage`);
    expect(usage.body.data).toEqual({ items: [], nextBefore: null });
  });

  it("answers a taken address, in upper or lower case, like a new address, and changes nothing", async () => {
    const email = newEmail();
    const first = await signUp(email);
    const second = await signUp(` ${email.toUpperCase()}`, "another password");
    expect(shownOf(second)).toEqual(shownOf(first));
    expect(second.body.data).toEqual(first.body.data);
    expect([await countOf("account_credentials", email), await countOf("workspace_members", email)]).toEqual([
      1, 1,
    ]);
    expect((await signIn(email, "another password")).status).toBe(401);
    expect((await signIn(email)).status).toBe(200);
  });

  it("creates one complete account for concurrent sign-ups with one address", async () => {
    const email = newEmail();
    const answers = await Promise.all([1, 2, 3].map((at) => signUp(email, `${PASSWORD} ${at}`)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect([await countOf("account_credentials", email), await countOf("workspace_members", email)]).toEqual([
      1, 1,
    ]);
  });

  it("succeeds if only the answer of its write was lost", async () => {
    const email = newEmail();
    const real = env.DB.batch.bind(env.DB);
    vi.spyOn(env.DB, "batch").mockImplementationOnce(async (statements) => {
      await real(statements);
      throw new Error("lost");
    });
    expect((await signUp(email)).status).toBe(202);
    expect((await signIn(email)).status).toBe(200);
  });

  it.each([
    [
      "a password that breaks the rules",
      { name: "Ada", email: "ada.l@b.example", password: "Ada.L@b.example" },
    ],
    ["no name", { email: "a@b.example", password: PASSWORD }],
    ["no address", { name: "Ada", email: "ada", password: PASSWORD }],
    ["an unknown member", { name: "Ada", email: "a@b.example", password: PASSWORD, role: "admin" }],
    ["a verified address", { name: "Ada", email: "a@b.example", password: PASSWORD, emailVerified: true }],
  ])("%s is 400", async (_, body) => {
    const answer = await callAs({ cookie: "" }, "POST", "/api/account/sign-up", {
      body,
      headers: fromOwnNetwork(),
    });
    expect([answer.status, answer.body.error.code]).toEqual([400, "INVALID_REQUEST"]);
    expect(JSON.stringify(answer.body)).not.toContain(PASSWORD);
  });
});

describe("signing in", () => {
  it("sets one cookie: __Host-, HttpOnly, Secure, SameSite=Lax, for all paths, and shows no token", async () => {
    const { email } = await createPasswordAccount();
    const answer = await signIn(email);
    const [cookie, ...others] = answer.headers.getSetCookie();
    expect(others).toEqual([]);
    const [pair = "", ...attributes] = (cookie ?? "").split("; ");
    expect(pair).toMatch(/^__Host-cp_session=/);
    expect(attributes.sort()).toEqual(["HttpOnly", "Max-Age=604800", "Path=/", "SameSite=Lax", "Secure"]);
    expect(answer.body.data).toEqual({
      account: {
        accountId: expect.any(String),
        name: "Ada",
        email,
        isEmailConfirmed: false,
        language: "en",
      },
      session: { createdAt: expect.any(String), expiresAt: expect.any(String) },
    });
    const [token = ""] = decodeURIComponent(pair.split("=")[1] ?? "").split(".");
    expect(JSON.stringify(answer.body)).not.toContain(token);
    const session = await callAs({ cookie: pair }, "GET", "/api/account/session");
    expect(session.body.data).toEqual(answer.body.data);
  });

  it("stores neither address nor user agent of the client", async () => {
    const results = await selectRows`SELECT * FROM account_sessions LIMIT 50`;
    expect(JSON.stringify(results)).not.toMatch(/2001:db8|Mozilla|undici/);
    const columns = await selectRows`PRAGMA table_info(account_sessions)`;
    expect(columns.map(({ name }) => name)).not.toEqual(expect.arrayContaining(["ip_address"]));
  });

  it("answers an unknown address and a wrong password the same", async () => {
    const { email } = await createPasswordAccount();
    const wrong = await signIn(email, "not the password");
    expect(shownOf(await signIn(newEmail(), "not the password"))).toEqual(shownOf(wrong));
    expect([wrong.status, wrong.body.error.code]).toEqual([401, "CREDENTIALS_INVALID"]);
    expect(wrong.headers.getSetCookie()).toEqual([]);
  });

  it("ignores a planted cookie: each session is new", async () => {
    const { email, cookie: planted } = await createPasswordAccount();
    const answer = await callAs({ cookie: planted }, "POST", "/api/account/sign-in", {
      body: { email, password: PASSWORD },
      headers: fromOwnNetwork(),
    });
    expect(answer.status).toBe(200);
    expect(cookieOf(answer)).not.toBe(planted);
  });

  it("is 429 when a network's window is full, with a known or unknown address", async () => {
    freezeClock();
    const headers = fromOwnNetwork();
    await fillWindow("sign-in", `network:${clientNetworks(headers["CF-Connecting-IP"] ?? "").network}`, 1);
    const last = await signIn(newEmail(), PASSWORD, headers);
    expect([last.status, last.headers.get("X-RateLimit-Remaining")]).toEqual([401, "0"]);
    const refused = await signIn(newEmail(), PASSWORD, headers);
    expect([refused.status, refused.body.error.code]).toEqual([429, "RATE_LIMITED"]);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect((await signIn(newEmail(), PASSWORD)).status).toBe(401);
  });

  it.each([
    ["sign-in-site", signIn],
    ["sign-up-site-day", signUp],
  ] as const)("shares one %s window among all networks of an IPv6 /48", async (name, request) => {
    const from = (address: string) => ({ Origin: ORIGIN, "CF-Connecting-IP": address });
    await fillWindow(name, "network:2a01:7:7::/48", 1);
    expect((await request(newEmail(), PASSWORD, from("2a01:7:7:1::1"))).status).toBeLessThan(429);
    const refused = await request(newEmail(), PASSWORD, from("2a01:7:7:2::1"));
    expect([refused.status, refused.body.error.details.family]).toEqual([429, name]);
    expect(refused.headers.get("X-RateLimit-Limit")).toBe(String(CLIENT_WINDOWS[name].limit));
    const retryAtMs = Date.now() + 1_000 * Number(refused.headers.get("Retry-After"));
    const resetAtMs = Date.parse(refused.headers.get("X-RateLimit-Reset") ?? "");
    expect(Math.abs(retryAtMs - resetAtMs)).toBeLessThan(5_000);
    expect((await request(newEmail(), PASSWORD, from("2a01:7:8:2::1"))).status).toBeLessThan(429);
  });

  it("hashes only as many of 16 concurrent guesses as there are slots, and refuses the others at once", async () => {
    const { email } = await createPasswordAccount();
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => signIn(newEmail(), "not the password")),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(8);
    for (const { headers, body } of refused) {
      expect([body.error.code, headers.get("Retry-After")]).toEqual(["SIGN_IN_BUSY", "2"]);
      expect(headers.get("X-RateLimit-Limit")).toBe(String(LIMITS.passwordRequestsAtOnceMax));
      expect(headers.get("X-RateLimit-Remaining")).toBe("0");
      expect(Date.parse(headers.get("X-RateLimit-Reset") ?? "")).toBeGreaterThan(Date.now() - 60_000);
    }
    // All slots are free again.
    expect((await signIn(email)).status).toBe(200);
  });

  it("counts attempts for one address over all networks, without revealing whether it has an account", async () => {
    const email = newEmail();
    await fillWindow("sign-in-email", `email:${email}`, 0);
    const answers = [await signIn(email), await signIn(email.toUpperCase())];
    expect(answers.map(({ status }) => status)).toEqual([429, 429]);
    expect(answers[0]?.headers.get("X-RateLimit-Limit")).toBe(String(ROUTE_FAMILIES["sign-in-email"]));
  });
});

describe("sessions of one account", () => {
  it("end with a new password, except the session that set it; a wrong current password changes nothing", async () => {
    const { email, cookie: one } = await createPasswordAccount();
    const other = cookieOf(await signIn(email));
    const change = (currentPassword: string) =>
      callAs({ cookie: one }, "POST", "/api/account/password", {
        body: { currentPassword, newPassword: "a quite new password" },
      });
    expect(refusalOf(await change("not the password"))).toEqual([401, "CREDENTIALS_INVALID"]);
    expect((await callAs({ cookie: other }, "GET", "/api/account/session")).status).toBe(200);
    for (const common of ["1234567890", email]) {
      const refused = await callAs({ cookie: one }, "POST", "/api/account/password", {
        body: { currentPassword: PASSWORD, newPassword: common },
      });
      expect([refused.status, refused.body.error.details.issues[0].path]).toEqual([400, "newPassword"]);
    }
    expect((await change(PASSWORD)).body.data).toEqual({ changed: true });
    expect((await callAs({ cookie: one }, "GET", "/api/account/session")).status).toBe(200);
    expect((await callAs({ cookie: other }, "GET", "/api/account/session")).status).toBe(401);
    expect((await signIn(email)).status).toBe(401);
    expect((await signIn(email, "a quite new password")).status).toBe(200);
  });

  it("cannot be created with the old password while it is being changed", async () => {
    const { email } = await createPasswordAccount();
    // The password changes between its check and the insertion of the new session's row.
    await env.DB.prepare(
      `CREATE TRIGGER changed_meanwhile BEFORE INSERT ON account_sessions BEGIN
         UPDATE account_credentials SET password_hash = 'scrypt$of another' WHERE account_id = NEW.account_id;
       END`,
    ).run();
    const raced = await signIn(email);
    await execute`DROP TRIGGER changed_meanwhile`;
    expect([raced.status, raced.body.error?.code]).toEqual([401, "CREDENTIALS_INVALID"]);
    expect(raced.headers.getSetCookie()).toEqual([]);
    expect(await countOf("account_sessions", email)).toBe(1);
  });

  it("are limited: a new one ends the oldest", async () => {
    const { email, cookie: first } = await createPasswordAccount();
    await env.DB.prepare(
      `INSERT INTO account_sessions (session_id, account_id, token, created_at, updated_at, expires_at)
       SELECT account_id || value, account_id, account_id || value, ?2 + value, ?2, ?2 + 1000000
       FROM accounts, json_each(?3) WHERE email = ?1`,
    )
      .bind(
        email,
        Date.now(),
        JSON.stringify(Array.from({ length: LIMITS.sessionsPerAccountMax - 1 }, (_, at) => at + 1)),
      )
      .run();
    expect((await callAs({ cookie: first }, "GET", "/api/account/session")).status).toBe(200);
    expect((await signIn(email)).status).toBe(200);
    expect(await countOf("account_sessions", email)).toBe(LIMITS.sessionsPerAccountMax);
    expect((await callAs({ cookie: first }, "GET", "/api/account/session")).status).toBe(401);
  });
});

describe("passwords", () => {
  it("are stored with salt and parameters, and match in any Unicode form", async () => {
    const [first, second] = [await hashPassword("Zoë's zoo, ten"), await hashPassword("Zoë's zoo, ten")];
    expect(first).toMatch(/^scrypt\$16384\$8\$5\$[0-9a-f]{32}\$[0-9a-f]{64}$/);
    expect(second).not.toBe(first);
    expect(await verifyPassword({ hash: first, password: "Zoe\u0308's zoo, ten" })).toBe(true);
    expect(await verifyPassword({ hash: first, password: "Zoe's zoo, ten" })).toBe(false);
    expect(await verifyPassword({ hash: "scrypt$1$8$1$00$00", password: "" })).toBe(false);
  });

  it("are hashed by standard scrypt", async () => {
    expect(await verifyPassword({ hash: PASSWORD_HASH, password: PASSWORD })).toBe(true);
  });
});
