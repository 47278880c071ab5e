import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { expectRateLimitHeaders, send } from "../support/client.ts";
import type { Harness } from "../support/harness.ts";
import { OPERATIONS, type Operation } from "../support/openapi.ts";
import { ACCOUNT_OPERATIONS, type Person, pathOf, seedPerson, sendAs } from "../support/people.ts";

const SESSION_OPERATIONS = ACCOUNT_OPERATIONS.filter(({ needsSession }) => needsSession);
const CHANGES = ACCOUNT_OPERATIONS.filter(({ method }) => method !== "GET");
const json = ({ takesBody }: Operation) => (takesBody ? { json: {} } : {});

/** Routes that ignore unknown query parameters, because probes, providers and link trackers add some. */
const OPEN_QUERIES = [
  ...["getHealth", "receiveBillingEvent", "receiveMailReport", "finishOAuth"],
  ...["downloadLink", "getSharedPack", "getSharedFile", "getSharedLogo"],
  ...["createShareComment", "resolveOwnComment"],
];

const PASSWORD = "correct horse battery";
const credentials = () => ({ email: `${randomUUID()}@accounts.example`, password: PASSWORD });

/** Account sessions: common refusals of every route under /api/account, sign-in and sign-out. */
export const accounts = (harness: Harness): void => {
  const { service, rich } = harness;
  describe("API §10.1 accounts: refusals shared by all operations", () => {
    /** Shared by requests that change nothing. */
    let person: Person;
    beforeAll(async () => {
      person = await seedPerson(service);
    });

    it.each(SESSION_OPERATIONS)(
      "API §10.1 $name: no session is 401, even with an API key",
      async (operation) => {
        const path = pathOf(operation, randomUUID());
        for (const key of [{}, { key: rich.key }]) {
          const answer = await sendAs(service, { cookie: "" }, operation.method, path, {
            ...json(operation),
            ...key,
          });
          expect([answer.status, answer.body.error.code]).toEqual([401, "SESSION_MISSING"]);
        }
        const forged = { cookie: "cp_session=forged.c2lnbmF0dXJl" };
        const answer = await sendAs(service, forged, operation.method, path, json(operation));
        expect([answer.status, answer.body.error.code]).toEqual([401, "SESSION_INVALID"]);
      },
    );

    it.each(OPERATIONS.filter(({ operationId }) => !OPEN_QUERIES.includes(operationId)))(
      "API §4.5 $name: an unknown query parameter is 400",
      async (operation) => {
        const path = `${pathOf(operation, randomUUID())}?page=2`;
        const key = operation.path.startsWith("/api/v1/") ? { key: rich.key } : {};
        const call = { ...json(operation), ...key, idempotencyKey: randomUUID() };
        const answer = await sendAs(service, person, operation.method, path, call);
        expect([answer.status, answer.body.error.code]).toEqual([400, "INVALID_REQUEST"]);
        expect(answer.body.error.message).toContain("Unknown parameter `page`");
      },
    );

    it.each(CHANGES)("API §10.2 $name: a missing or foreign Origin is 403", async (operation) => {
      for (const origin of [{}, { Origin: "https://evil.example" }]) {
        const answer = await send(service, operation.method, pathOf(operation, randomUUID()), {
          ...json(operation),
          headers: { Cookie: person.cookie, ...origin },
        });
        expect([answer.status, answer.body.error.code]).toEqual([403, "ORIGIN_NOT_ALLOWED"]);
      }
    });

    it.each(SESSION_OPERATIONS)(
      "API §8.3, §8.4 $name: the first request beyond the limit of the window is 429",
      async (operation) => {
        const person = await seedPerson(harness.tight);
        const ask = () =>
          sendAs(harness.tight, person, operation.method, pathOf(operation, randomUUID()), json(operation));
        // Signing out ends the session, so the first request uses another route that counts in the same window.
        const first = operation.path.endsWith("/sign-out")
          ? await sendAs(harness.tight, person, "POST", "/api/account/workspaces", { json: {} })
          : await ask();
        expect(first.status).not.toBe(429);
        expectRateLimitHeaders(first);
        const second = await ask();
        // If the window ended between the two requests, a third one reaches the limit.
        const refused = second.status === 429 ? second : await ask();
        expect([refused.status, refused.body.error.code]).toEqual([429, "RATE_LIMITED"]);
        expectRateLimitHeaders(refused);
        expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
      },
    );

    it.each(ACCOUNT_OPERATIONS)(
      "API §10.1 $name: without a database or AUTH_SECRET it is 501",
      async (operation) => {
        for (const service of [harness.bare, harness.withoutDelivery]) {
          const path = pathOf(operation, randomUUID());
          const answer = await sendAs(service, person, operation.method, path, json(operation));
          expect([answer.status, answer.body.error.code]).toEqual([501, "SERVICE_NOT_CONFIGURED"]);
        }
      },
    );

    it.each(SESSION_OPERATIONS)(
      "API §7.4 $name on a database without tables is 500 and reveals no details",
      async (operation) => {
        const path = pathOf(operation, randomUUID());
        const answer = await sendAs(harness.broken, person, operation.method, path, json(operation));
        expect([answer.status, answer.body.error.code]).toEqual([500, "INTERNAL_ERROR"]);
        expect(answer.body.error.message).not.toMatch(/sql|table|select|d1|stack|\.ts/i);
      },
    );

    it.each(ACCOUNT_OPERATIONS.filter(({ takesBody }) => takesBody))(
      "API §4.4 $name: a body of another content type is 415",
      async (operation) => {
        const answer = await sendAs(service, person, operation.method, pathOf(operation, randomUUID()), {
          bytes: new TextEncoder().encode("a=b"),
          headers: { "Content-Type": "text/plain", "Idempotency-Key": randomUUID() },
        });
        expect([answer.status, answer.body.error.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
      },
    );

    it.each(SESSION_OPERATIONS.filter(({ path }) => path.includes("{")))(
      "API §2.1 $name: an id that is not a UUID is 400",
      async (operation) => {
        const path = pathOf(operation, "not-a-uuid");
        const answer = await sendAs(service, person, operation.method, path, {
          ...json(operation),
          idempotencyKey: randomUUID(),
        });
        expect([answer.status, answer.body.error.code]).toEqual([400, "INVALID_REQUEST"]);
      },
    );
  });

  describe("API §10.3, §10.4 accounts: sign-up, sign-in and sign-out", () => {
    const nobody = { cookie: "" };

    it("API §10.3, §10.4 signing up is 202 for a free or taken address; signing in is 200 and sets a cookie; signing out ends it", async () => {
      const { email, password } = credentials();
      const body = { name: "Ada", email, password };
      for (const name of ["Ada", "Eve"]) {
        const answer = await sendAs(service, nobody, "POST", "/api/account/sign-up", {
          json: { ...body, name },
        });
        expect([answer.status, answer.body.data]).toEqual([202, { email }]);
        expectRateLimitHeaders(answer);
        expect(answer.headers.getSetCookie().join()).not.toContain("cp_session");
      }
      const signedIn = await sendAs(service, nobody, "POST", "/api/account/sign-in", {
        json: { email, password },
      });
      expect([signedIn.status, signedIn.body.data.account.name]).toEqual([200, "Ada"]);
      expectRateLimitHeaders(signedIn);
      const cookies = signedIn.headers.getSetCookie().map((text) => text.split(";")[0] ?? "");
      const cookie = cookies.find((text) => text.startsWith("cp_session=")) ?? "";
      const session = await sendAs(service, { cookie }, "GET", "/api/account/session");
      expect([session.status, session.body.data]).toEqual([200, signedIn.body.data]);
      const change = (json: unknown) =>
        sendAs(service, { cookie }, "POST", "/api/account/password", { json });
      const newPassword = "a quite new password";
      expect((await change({ currentPassword: "not the password", newPassword })).status).toBe(401);
      expect((await change({ currentPassword: password, newPassword: "short" })).status).toBe(400);
      expect((await change({ currentPassword: password, newPassword })).body.data).toEqual({ changed: true });
      const out = await sendAs(service, { cookie }, "POST", "/api/account/sign-out");
      expect([out.status, out.body.data]).toEqual([200, { signedOut: true }]);
      expect((await sendAs(service, { cookie }, "GET", "/api/account/session")).status).toBe(401);
    });

    it("API §10.4 a wrong password and an unknown address are 401, a malformed request 400", async () => {
      const unknown = await sendAs(service, nobody, "POST", "/api/account/sign-in", {
        json: credentials(),
      });
      expect([unknown.status, unknown.body.error.code]).toEqual([401, "CREDENTIALS_INVALID"]);
      for (const path of ["sign-up", "sign-in"]) {
        const answer = await sendAs(service, nobody, "POST", `/api/account/${path}`, {
          json: { email: "ada" },
        });
        expect(answer.status).toBe(400);
      }
    });

    it("API §7.4 sign-up and sign-in on a database without tables are 500", async () => {
      const body = credentials();
      const up = await sendAs(harness.broken, nobody, "POST", "/api/account/sign-up", {
        json: { name: "Ada", ...body },
      });
      const signIn = await sendAs(harness.broken, nobody, "POST", "/api/account/sign-in", { json: body });
      expect([up.status, signIn.status]).toEqual([500, 500]);
    });

    it("API §10.8 starting a provider's sign-in is 200 with its URL, a callback without a start 401, an unknown provider 400", async () => {
      const started = await sendAs(service, nobody, "POST", "/api/account/oauth/github");
      expect(started.status).toBe(200);
      expect(new URL(started.body.data.url).hostname).toBe("github.com");
      const back = await send(service, "GET", "/api/account/oauth/callback/github?code=x&state=y");
      expect([back.status, back.body.error.code]).toEqual([401, "OAUTH_REFUSED"]);
      const unknown = [
        await sendAs(service, nobody, "POST", "/api/account/oauth/myspace"),
        await send(service, "GET", "/api/account/oauth/callback/myspace"),
      ];
      expect(unknown.map(({ status }) => status)).toEqual([400, 400]);
      expect((await sendAs(service, nobody, "POST", "/api/account/oauth/google")).status).toBe(501);
    });

    it("API §10.5 sign-in attempts are counted by network; on each route, the first attempt beyond the limit is 429", async () => {
      const ask = async (method: string, path: string, call: { json?: unknown } = {}) => {
        const answers = [];
        for (let at = 0; at < 3; at += 1) {
          answers.push(await sendAs(harness.tight, nobody, method, `/api/account/${path}`, call));
        }
        return answers.map(({ status }) => status);
      };
      const body = credentials();
      expect(await ask("POST", "sign-up", { json: { name: "Ada", ...body } })).toContain(429);
      expect(await ask("POST", "sign-in", { json: body })).toContain(429);
      expect(await ask("POST", "oauth/github")).toContain(429);
      expect(await ask("GET", "oauth/callback/github")).toContain(429);
    });
  });
};
