import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { unsealLink } from "#domains/mail/outbox.ts";
import { encryptionKeyOf } from "#platform/bindings/capabilities.ts";
import { change } from "../support/arrange.ts";
import { expectRateLimitHeaders } from "../support/client.ts";
import type { Harness } from "../support/harness.ts";
import { type Person, seedPerson, sendAs } from "../support/people.ts";
import { SECRETS } from "../support/service.ts";

const newEmail = () => `${randomUUID()}@accounts.example`;
const PASSWORD = "correct horse battery";
const nobody = { cookie: "" };

/** Mails of accounts: to confirm and change addresses, and to reset passwords. */
export const accountMail = (harness: Harness): void => {
  const { service } = harness;
  const ask = (person: Pick<Person, "cookie">, method: string, path: string, json?: unknown) =>
    sendAs(service, person, method, `/api/account/${path}`, json === undefined ? {} : { json });

  /**
   * The fragment of the link in the newest mail to an address. Polls, because some mails are written after the answer.
   */
  const tokenTo = async (address: string, kind = "confirm-address"): Promise<string> => {
    const current = encryptionKeyOf(SECRETS.DELIVERY_ENCRYPTION_KEY);
    if (current === null) throw new Error("no key encrypts links here");
    const newest = () =>
      service.db
        .prepare(
          "SELECT reference, sealed FROM mail_messages WHERE address = ?1 AND kind = ?2 ORDER BY rowid DESC",
        )
        .bind(address, kind)
        .first<{ reference: string; sealed: string }>();
    await expect.poll(newest).not.toBeNull();
    const row = await newest();
    const link = await unsealLink({ current, previous: null }, row?.reference ?? "", row?.sealed ?? "");
    return link?.slice(link.indexOf("#") + 1) ?? "";
  };

  /** A signed-in account with its cookie. */
  const signedUp = async () => {
    const email = newEmail();
    await ask(nobody, "POST", "sign-up", { name: "Ada", email, password: PASSWORD, language: "de" });
    const signedIn = await ask(nobody, "POST", "sign-in", { email, password: PASSWORD });
    const cookies = signedIn.headers.getSetCookie().map((text) => text.split(";")[0] ?? "");
    return { email, cookie: cookies.join("; "), account: signedIn.body.data.account };
  };

  describe("API §10.10 accounts: mail", () => {
    it("API §10.10 the sign-up mail's link is 200 and confirms the address, also when repeated; an altered link is 403", async () => {
      const { email, cookie, account } = await signedUp();
      expect(account).toMatchObject({ isEmailConfirmed: false, language: "de" });
      const again = await ask({ cookie }, "POST", "email/confirmation");
      expect([again.status, again.body.data]).toEqual([202, { email }]);
      expectRateLimitHeaders(again);
      const token = await tokenTo(email);
      for (let time = 0; time < 2; time += 1) {
        const confirmed = await ask(nobody, "POST", "email/confirm", { token });
        expect([confirmed.status, confirmed.body.data]).toEqual([200, { email }]);
      }
      const session = await ask({ cookie }, "GET", "session");
      expect(session.body.data.account.isEmailConfirmed).toBe(true);
      const altered = await ask(nobody, "POST", "email/confirm", { token: `${token}x` });
      expect([altered.status, altered.body.error.code]).toEqual([403, "LINK_INVALID"]);
      expect((await ask(nobody, "POST", "email/confirm", {})).status).toBe(400);
    });

    it("API §10.10 too many mails to an address are 429 MAIL_LIMIT_REACHED", async () => {
      const person = await seedPerson(service, { isEmailConfirmed: false });
      const statuses = [];
      for (let time = 0; time < 16; time += 1) {
        statuses.push((await ask(person, "POST", "email/confirmation")).status);
      }
      expect(statuses).toEqual([...new Array<number>(15).fill(202), 429]);
    });

    it("API §10.12 requesting a change of address is 202, and its link applies it; 401 for a wrong password, 400 for a malformed address", async () => {
      const { cookie } = await signedUp();
      const change = (newEmail: unknown, password = PASSWORD) =>
        ask({ cookie }, "PUT", "email", { newEmail, password });
      expect((await change(newEmail(), "not the password")).status).toBe(401);
      expect((await change("nobody")).status).toBe(400);
      const email = newEmail();
      const asked = await change(email);
      expect([asked.status, asked.body.data]).toEqual([202, { newEmail: email }]);
      const token = await tokenTo(email);
      expect((await ask(nobody, "POST", "email/confirm", { token })).body.data).toEqual({ email });
      expect((await ask(nobody, "POST", "email/confirm", { token })).status).toBe(403);
      expect((await ask({ cookie }, "GET", "session")).body.data.account.email).toBe(email);
    });

    it("API §10.13 requesting a password reset is 202; its link works once and ends all sessions", async () => {
      const { email, cookie } = await signedUp();
      for (const address of [email, newEmail()]) {
        const asked = await ask(nobody, "POST", "password/reset", { email: address });
        expect([asked.status, asked.body.data]).toEqual([202, { email: address }]);
        expectRateLimitHeaders(asked);
      }
      expect((await ask(nobody, "POST", "password/reset", { email: "nobody" })).status).toBe(400);
      const token = await tokenTo(email, "reset-password");
      const reset = (newPassword: string) =>
        ask(nobody, "POST", "password/reset/confirm", { token, newPassword });
      expect((await reset("aaaaaaaaaaaa")).status).toBe(400);
      const done = await reset("another one of four words");
      expect([done.status, done.body.data]).toEqual([200, { changed: true }]);
      expect((await reset("another one of four words")).status).toBe(403);
      expect((await ask({ cookie }, "GET", "session")).status).toBe(401);
      const signedIn = await ask(nobody, "POST", "sign-in", { email, password: "another one of four words" });
      expect([signedIn.status, signedIn.body.data.account.isEmailConfirmed]).toEqual([200, true]);
    });

    it("API §10.14 changing the language of mails is 200; a language that the Studio lacks is 400", async () => {
      const person = await seedPerson(service);
      const changed = await ask(person, "PATCH", "language", { language: "de" });
      expect([changed.status, changed.body.data]).toEqual([200, { language: "de" }]);
      expect((await ask(person, "PATCH", "language", { language: "xx" })).status).toBe(400);
    });

    it("API §10.13 mail requests and links are counted by network; the first request beyond the limit is 429", async () => {
      const paths = { "password/reset": { email: newEmail() }, "email/confirm": { token: "x" } };
      const reset = { "password/reset/confirm": { token: "x", newPassword: PASSWORD } };
      for (const [path, json] of Object.entries({ ...paths, ...reset })) {
        const statuses = [];
        for (let time = 0; time < 3; time += 1) {
          const answer = await sendAs(harness.tight, nobody, "POST", `/api/account/${path}`, { json });
          statuses.push(answer.status);
        }
        expect(statuses).toContain(429);
      }
    });

    it("API §7.4 a mail link is 500 on a database without tables", async () => {
      const token = `cpa_${randomUUID()}_${"A".repeat(43)}`;
      const bring = (path: string, json: object) =>
        sendAs(harness.broken, nobody, "POST", `/api/account/${path}`, { json });
      expect((await bring("email/confirm", { token })).status).toBe(500);
      expect((await bring("password/reset/confirm", { token, newPassword: PASSWORD })).status).toBe(500);
    });

    it("API §11.5 mailing an invitation is 403 until the owner's address is confirmed, then 201", async () => {
      const owner = await seedPerson(service, { isEmailConfirmed: false });
      const email = newEmail();
      const invite = (json: unknown) =>
        ask(owner, "POST", `workspaces/${owner.workspaceId}/invitations`, json);
      const refused = await invite({ email });
      expect([refused.status, refused.body.error.code]).toEqual([403, "EMAIL_NOT_CONFIRMED"]);
      expect((await invite({ email: "nobody" })).status).toBe(400);
      await change(
        service,
        "UPDATE accounts SET is_email_verified = 1 WHERE account_id = ?",
        owner.accountId,
      );
      const invited = await invite({ email, language: "en" });
      expect(invited.status).toBe(201);
      expect(await tokenTo(email, "invitation")).toBe(invited.body.data.code);
    });
  });
};
