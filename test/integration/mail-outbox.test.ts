import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { mailStatement, type NewMail, sealLink, unsealLink } from "#domains/mail/outbox.ts";
import { newId } from "#platform/ids.ts";
import { selectRow } from "../support/database.ts";

const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 10, 2);

type ResetMail = Extract<NewMail, { kind: "reset-password" }>;

const resetMail = (address: string, nowMs = NOW_MS): ResetMail => ({
  reference: `reset-password:${newId()}`,
  kind: "reset-password",
  address,
  language: "en",
  facts: { name: "Ada" },
  sealed: null,
  nowMs,
  expiresAtMs: nowMs + HOUR_MS,
});

const write = async (mail: NewMail): Promise<number> =>
  (await mailStatement(env.DB, mail).run()).meta.changes;

const newAddress = () => `${newId()}@example.com`;

it("one mail is written per reference", async () => {
  const mail = resetMail(newAddress());
  expect(await write(mail)).toBe(1);
  expect(await write(mail)).toBe(0);
});

it("addresses are stored in lower case", async () => {
  const address = newAddress();
  await write(resetMail(address.toUpperCase()));
  const row = await selectRow`SELECT status, facts FROM mail_messages WHERE address = ${address}`;
  expect(row).toEqual({ status: "queued", facts: '{"name":"Ada"}' });
});

it("API §20.2 of thirty concurrent mails to an address, fifteen are written, and further ones an hour later", async () => {
  const address = newAddress();
  const written = await Promise.all(Array.from({ length: 30 }, () => write(resetMail(address))));
  expect(written.filter((count) => count === 1)).toHaveLength(15);
  expect(await write(resetMail(address, NOW_MS + HOUR_MS))).toBe(1);
});

it("a change of address is mailed even beyond the daily limit", async () => {
  const address = newAddress();
  for (let hour = 0; hour < 24; hour += 1) {
    const nowMs = NOW_MS + hour * HOUR_MS;
    await Promise.all(Array.from({ length: 6 }, () => write(resetMail(address, nowMs))));
  }
  const nowMs = NOW_MS + 23 * HOUR_MS;
  expect(await write(resetMail(address, nowMs))).toBe(0);
  const told: NewMail = {
    ...resetMail(address, nowMs),
    kind: "address-changed",
    facts: { name: "Ada", newAddress: "eve@example.com" },
  };
  expect(await write(told)).toBe(1);
});

it("a payment is mailed even beyond the daily limit, a verdict up to thirty times", async () => {
  const address = newAddress();
  const verdict = (): NewMail => ({
    ...resetMail(address),
    reference: `approval-given:${newId()}`,
    kind: "approval-given",
    facts: {
      ...{ workspaceId: newId(), artifactId: newId(), shareName: "Sale", visitorName: "Eve" },
      verdict: "approved",
    },
  });
  const written = await Promise.all(Array.from({ length: 40 }, () => write(verdict())));
  expect(written.filter((count) => count === 1)).toHaveLength(30);
  await env.DB.prepare(
    `INSERT INTO mail_messages (message_id, reference, kind, address, language, facts, status, created_at, expires_at)
     SELECT ?1 || value, ?1 || value, 'packs-failed', ?2, 'en', '{}', 'sent', ?3, 1
     FROM json_each(?4)`,
  )
    .bind(newId(), address, NOW_MS, JSON.stringify(Array.from({ length: 70 }, (_, index) => index)))
    .run();
  const balance: NewMail = {
    ...resetMail(address),
    reference: `balance-low:${newId()}`,
    kind: "balance-low",
    facts: { workspaceId: newId(), available: 1, lowBalanceBelow: 10 },
  };
  expect(await write(balance)).toBe(0);
  const failed: NewMail = {
    ...resetMail(address),
    reference: `top-up-failed:${newId()}`,
    kind: "top-up-failed",
    facts: { workspaceId: newId(), offerId: "credits", credits: 5, reason: "card_declined" },
  };
  expect(await write(failed)).toBe(1);
});

it("a link can be decrypted only in its own row", async () => {
  const keys = { current: crypto.getRandomValues(new Uint8Array(32)), previous: null };
  const sealed = await sealLink(keys, "reset-password:1", "https://packs.example/reset-password#token");
  expect(await unsealLink(keys, "reset-password:1", sealed)).toBe(
    "https://packs.example/reset-password#token",
  );
  expect(await unsealLink(keys, "reset-password:2", sealed)).toBe(null);
  expect(sealed).not.toContain("token");
});
