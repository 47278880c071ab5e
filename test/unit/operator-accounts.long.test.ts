import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyPassword } from "#domains/accounts/password/password-hash.ts";
import { databaseNow } from "#platform/db/database-clock.ts";
import { newId } from "#platform/ids.ts";
import {
  confirmAddress,
  endSessions,
  reportAccount,
  reportConfirmed,
  reportPasswordReset,
  reportSessionsEnded,
  resetPasswordOf,
  showAccount,
} from "../../scripts/operate/workspace/account-commands.ts";
import { readInvocation } from "../../scripts/operate/workspace/command-line.ts";
import { type OpenOperatorDatabase, openOperatorDatabase } from "../support/operator-database.ts";

const NOW_MS = Date.parse("2026-06-18T12:00:00.000Z");
let opened: OpenOperatorDatabase;

beforeAll(async () => {
  opened = await openOperatorDatabase(NOW_MS);
}, 60_000);
afterAll(() => opened.close());

/** Inserts an account with sessions, like sign-up and sign-in do. */
async function person(sessions: number, providerId = "credential"): Promise<{ email: string; hash: string }> {
  const { db } = opened.operator;
  const accountId = newId();
  const email = `${accountId}@accounts.example`;
  const hash = `scrypt$${accountId}`;
  await db.batch([
    db.prepare("INSERT INTO accounts VALUES (?1, 'Ada', ?2, 0, 1, 1, 'en')").bind(accountId, email),
    db
      .prepare("INSERT INTO account_credentials VALUES (?1, ?1, ?2, ?1, ?3, 1, 1)")
      .bind(accountId, providerId, providerId === "credential" ? hash : null),
    db
      .prepare("INSERT INTO account_sessions SELECT value, ?1, value, 1, 1, 9e15 FROM json_each(?2)")
      .bind(accountId, JSON.stringify(Array.from({ length: sessions }, newId))),
  ]);
  return { email, hash };
}

const hashOf = (email: string) =>
  opened.operator.db
    .prepare(
      "SELECT password_hash AS hash FROM account_credentials JOIN accounts USING (account_id) WHERE email = ?1",
    )
    .bind(email)
    .first<string>("hash");

describe("reset-password", () => {
  it("sets a working password, ends the sessions, and leaves no secret in show-account", async () => {
    const { email } = await person(3);
    const reset = await resetPasswordOf(opened.operator, { email: email.toUpperCase() });
    expect(reset).toMatchObject({ email, sessionsEnded: 3 });
    const hash = (await hashOf(email)) ?? "";
    expect(await verifyPassword({ hash, password: reset.password })).toBe(true);
    expect(reportPasswordReset(reset)).toContain(reset.password);
    const shown = await showAccount(opened.operator, { email });
    expect(shown).toMatchObject({
      sessions: 0,
      signsInWith: ["credential"],
      events: [{ type: "password_reset", sessionsEnded: 3, createdAt: "2026-06-18T12:00:00.000Z" }],
    });
    for (const text of [JSON.stringify(shown), reportAccount(shown)]) {
      expect(text).not.toContain(reset.password);
      expect(text).not.toContain(hash);
    }
  });

  it("rejects an unknown address and an account without a password, and changes neither", async () => {
    await expect(resetPasswordOf(opened.operator, { email: "nobody@a.example" })).rejects.toThrow(
      "No account",
    );
    const { email } = await person(1, "github");
    await expect(resetPasswordOf(opened.operator, { email })).rejects.toThrow("provider");
    expect(await showAccount(opened.operator, { email })).toMatchObject({ sessions: 1, events: [] });
  });
});

it("end-sessions ends an account's sessions and keeps its password", async () => {
  const { email, hash } = await person(2);
  const ended = await endSessions(opened.operator, { email });
  expect(ended).toMatchObject({ email, sessionsEnded: 2 });
  expect(reportSessionsEnded(ended)).toContain("2 ended");
  expect(await hashOf(email)).toBe(hash);
});

it("confirm-address confirms an address once, and records that", async () => {
  const { email } = await person(1);
  expect(reportAccount(await showAccount(opened.operator, { email }))).toContain("not confirmed");
  const [first, second] = [
    await confirmAddress(opened.operator, { email }),
    await confirmAddress(opened.operator, { email }),
  ];
  expect([first.isNew, second.isNew]).toEqual([true, false]);
  expect(reportConfirmed(first)).toContain(email);
  expect(await showAccount(opened.operator, { email })).toMatchObject({
    isEmailConfirmed: true,
    sessions: 1,
    events: [{ type: "address_confirmed", sessionsEnded: 0 }],
  });
});

it("account commands accept only an address", () => {
  for (const name of ["show-account", "reset-password", "confirm-address", "end-sessions"] as const) {
    expect(readInvocation([name, "--email", " ada@packs.example "]).command).toEqual({
      name,
      email: "ada@packs.example",
    });
    expect(() => readInvocation([name])).toThrow("--email");
    expect(() => readInvocation([name, "--email", "a@b.example", "--workspace", newId()])).toThrow(
      "--workspace",
    );
  }
});

it("stored times are from the database's clock, not from the operator's", async () => {
  const before = Date.now();
  const nowMs = await databaseNow(opened.operator.db);
  expect(Number.isInteger(nowMs)).toBe(true);
  // Here both clocks are those of the same machine.
  expect(nowMs).toBeGreaterThanOrEqual(before - 1);
  expect(nowMs).toBeLessThanOrEqual(Date.now() + 1);
});
