import { describe, expect, it } from "vitest";
import { newId } from "#platform/ids.ts";
import { createAccount } from "../support/accounts.ts";
import { execute, selectRows, selectValue } from "../support/database.ts";
import { failAndRefund, paidJobId, spend } from "../support/ledger.ts";
import { consumeMail, standInProvider } from "../support/mail-provider.ts";
import { createWorkspace } from "../support/workspace.ts";

const HOUR_MS = 3_600_000;

/** A workspace with credits. */
async function workspaceWith(credits: number): Promise<string> {
  return (await createWorkspace({ credits })).workspaceId;
}

async function addPerson(workspaceId: string, role: "owner" | "member", isConfirmed: boolean) {
  const { accountId, email } = await createAccount();
  await execute`UPDATE accounts SET is_email_verified = ${Number(isConfirmed)}, language = 'de'
    WHERE account_id = ${accountId}`;
  await execute`INSERT INTO workspace_members (workspace_id, account_id, role, created_at)
    VALUES (${workspaceId}, ${accountId}, ${role}, 1)`;
  return email;
}

interface Written {
  readonly message_id: string;
  readonly kind: string;
  readonly language: string;
  readonly facts: string;
  readonly next_attempt_at: number;
  readonly expires_at: number;
}

const mailsTo = (address: string) => selectRows<Written>`
  SELECT message_id, kind, language, facts, next_attempt_at, expires_at FROM mail_messages
  WHERE address = ${address} ORDER BY created_at`;

describe("a balance that falls below its threshold", () => {
  it("is mailed to each owner once per fall, in the account's language", async () => {
    const workspaceId = await workspaceWith(12);
    const owners = [await addPerson(workspaceId, "owner", true), await addPerson(workspaceId, "owner", true)];
    await paidJobId(spend(workspaceId, 2));
    for (const owner of owners) expect(await mailsTo(owner)).toEqual([]);
    const jobId = await paidJobId(spend(workspaceId, 3));
    await paidJobId(spend(workspaceId, 1));
    for (const owner of owners) {
      const [mail, ...others] = await mailsTo(owner);
      expect(others).toEqual([]);
      expect(mail).toMatchObject({ kind: "balance-low", language: "de" });
      expect(JSON.parse(mail?.facts ?? "")).toEqual({ workspaceId, available: 7, lowBalanceBelow: 10 });
    }
    await failAndRefund(jobId);
    await execute`INSERT INTO workspace_notices VALUES (${workspaceId}, 9)`;
    await paidJobId(spend(workspaceId, 1));
    expect((await mailsTo(owners[0] ?? "")).map(({ kind }) => kind)).toContain("balance-low");
  });

  it("is not mailed to members or owners with an unconfirmed address", async () => {
    const workspaceId = await workspaceWith(10);
    const people = [
      await addPerson(workspaceId, "owner", false),
      await addPerson(workspaceId, "member", true),
    ];
    await paidJobId(spend(workspaceId, 1));
    for (const person of people) expect(await mailsTo(person)).toEqual([]);
  });

  it("is compared with the workspace's own threshold; 0 turns the mail off", async () => {
    for (const [mark, mails] of [
      [0, 0],
      [5, 1],
    ]) {
      const workspaceId = await workspaceWith(12);
      const owner = await addPerson(workspaceId, "owner", true);
      await execute`INSERT INTO workspace_notices VALUES (${workspaceId}, ${mark})`;
      for (let order = 0; order < 4; order += 1) await paidJobId(spend(workspaceId, 3));
      expect(await mailsTo(owner), `${mark}`).toHaveLength(mails ?? 0);
    }
  });

  it("is mailed at most ten times a day", async () => {
    const workspaceId = await workspaceWith(10);
    const owner = await addPerson(workspaceId, "owner", true);
    for (let fall = 0; fall < 12; fall += 1) await failAndRefund(await paidJobId(spend(workspaceId, 1)));
    const notices = (await mailsTo(owner)).filter(({ kind }) => kind === "balance-low");
    expect(notices).toHaveLength(10);
  });
});

it("failed packs are mailed at the end of each hour, with their names and number", async () => {
  const provider = standInProvider();
  const workspaceId = await workspaceWith(100);
  const owners = [await addPerson(workspaceId, "owner", true), await addPerson(workspaceId, "owner", true)];
  const startMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 5 * HOUR_MS;
  for (let index = 0; index < 12; index += 1) {
    const jobId = await paidJobId(spend(workspaceId, 2, startMs + index));
    await execute`UPDATE jobs SET status = 'running', copy = ${JSON.stringify({ headline: `Sale ${index}` })}
      WHERE job_id = ${jobId}`;
    await execute`UPDATE jobs SET status = 'failed', finished_at = ${startMs + 60_000 + index} WHERE job_id = ${jobId}`;
  }
  // A job that fails in the next hour.
  const later = await paidJobId(spend(workspaceId, 2, startMs + HOUR_MS));
  await execute`UPDATE jobs SET status = 'running' WHERE job_id = ${later}`;
  await execute`UPDATE jobs SET status = 'failed', finished_at = ${startMs + HOUR_MS} WHERE job_id = ${later}`;

  for (const owner of owners) {
    const mails = await mailsTo(owner);
    expect(mails.map(({ kind, next_attempt_at }) => [kind, next_attempt_at])).toEqual([
      ["packs-failed", startMs + HOUR_MS],
      ["packs-failed", startMs + 2 * HOUR_MS],
    ]);
    await execute`UPDATE mail_messages SET expires_at = ${Date.now() + HOUR_MS} WHERE address = ${owner}`;
    for (const { message_id } of mails) await consumeMail(message_id);
  }
  const [digest, other] = [...provider.taken.values()];
  expect(digest?.subject).toBe("12 Pakete sind fehlgeschlagen und wurden erstattet");
  expect(digest?.text).toContain("Sale 11\n");
  expect(digest?.text).toContain("und 2 weitere");
  expect(digest?.text).toContain("24 Credits");
  expect(other?.subject).toBe("Ein Paket ist fehlgeschlagen und wurde erstattet");
  expect(provider.taken.size).toBe(4);
});

it("a mail written by a trigger has an id that the queue accepts", async () => {
  const workspaceId = await workspaceWith(10);
  const owner = await addPerson(workspaceId, "owner", true);
  standInProvider();
  await paidJobId(spend(workspaceId, 1));
  const [mail] = await mailsTo(owner);
  await consumeMail(mail?.message_id ?? newId());
  const status = await selectValue`SELECT status FROM mail_messages WHERE address = ${owner}`;
  expect(status).toBe("sent");
});
