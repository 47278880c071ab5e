import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { MAIL_LIMITS } from "#api/mail-rules.ts";
import { mailStatement, type NewMail, sealLink } from "#domains/mail/outbox.ts";
import { readCapabilities } from "#platform/bindings/capabilities.ts";
import { reportStress } from "../stress/report.ts";
import { selectRow } from "../support/database.ts";
import { MAIL } from "../support/mail.ts";
import { MailProvider } from "../support/mail-provider.ts";
import { type Caller, newCaller } from "./client.ts";
import { crashAtEveryStep, type Scenario } from "./crash-every-step.ts";
import { freshStorage } from "./fresh-storage.ts";
import type { World } from "./world.ts";

/**
 * A mail that is interrupted at any await ends like an undisturbed one: sent once, failed or suppressed, and without
 * its link.
 */

beforeAll(freshStorage);

const HOUR_MS = 3_600_000;

type Sending = Caller & {
  readonly provider: MailProvider;
  readonly messageId: string;
  readonly message: World["messages"][number];
};

/** Writes a mail with a link, to an address of the workspace. */
async function writeMail(world: World, workspaceId: string): Promise<string> {
  const { mail } = readCapabilities({ ...env, ...MAIL });
  if (mail === null) throw new Error("mail is not configured");
  const reference = `reset-password:${workspaceId}`;
  const written: NewMail = {
    ...{ reference, kind: "reset-password", language: "en", facts: { name: "Ada" } },
    address: `${workspaceId}@example.com`,
    sealed: await sealLink(mail.encryption, reference, "https://packs.example/reset-password#token"),
    nowMs: world.nowMs,
    expiresAtMs: world.nowMs + 24 * HOUR_MS,
  };
  await mailStatement(env.DB, written).run();
  const row = await selectRow<{ message_id: string }>`
    SELECT message_id FROM mail_messages WHERE reference = ${reference}`;
  return row?.message_id ?? "";
}

const statusOf = async (messageId: string) =>
  (
    await selectRow<{ status: string; sealed: string | null }>`
      SELECT status, sealed FROM mail_messages WHERE message_id = ${messageId}`
  )?.status;

const untilEnded = (world: World, messageId: string): Promise<void> =>
  world.untilEnded(
    "mail",
    MAIL_LIMITS.leaseMs + 1_000,
    async () => !["queued", "sending"].includes((await statusOf(messageId)) ?? ""),
  );

/** Sends a mail as the queue would. `answers` are the provider's answers, in order. */
const attempt = (
  answers: () => MailProvider["answers"],
  end: { readonly status: string; readonly taken: number },
): Scenario<Sending> => ({
  settings: MAIL,
  arrange: async (world) => {
    const provider = new MailProvider();
    provider.answers.push(...answers());
    world.receive = (request) => provider.handle(request);
    const caller = await newCaller({});
    const messageId = await writeMail(world, caller.workspaceId);
    await world.sweep();
    const message = world.queues.mail.shift();
    if (message === undefined) throw new Error("the mail was not dispatched");
    return { ...caller, provider, messageId, message };
  },
  act: (world, { message }) => world.deliver(message, "creative-packs-mail"),
  settle: async (world, { messageId, message, provider }) => {
    await untilEnded(world, messageId);
    // A late duplicate must have no effect.
    await world.deliver(message, "creative-packs-mail");
    await world.deliver(message, "creative-packs-mail-dead");
    await world.sweep();
    expect(await statusOf(messageId)).toBe(end.status);
    expect(provider.taken.size).toBe(end.taken);
  },
});

it("a mail that the provider accepts survives a crash at any step", async ({ task }) => {
  reportStress(task, await crashAtEveryStep(attempt(() => [], { status: "sent", taken: 1 })));
});

it("a mail with a lost answer survives a crash at any step", async ({ task }) => {
  reportStress(task, await crashAtEveryStep(attempt(() => ["lost"], { status: "sent", taken: 1 })));
});

it("a mail that the provider refuses survives a crash at any step", async ({ task }) => {
  // More answers than a mail has attempts.
  const refusals = () => Array.from({ length: 10 }, () => new Response("{}", { status: 422 }));
  reportStress(task, await crashAtEveryStep(attempt(refusals, { status: "failed", taken: 0 })));
});

it("a mail to a suppressed address survives a crash at any step", async ({ task }) => {
  const scenario = attempt(() => [], { status: "suppressed", taken: 0 });
  const finding = await crashAtEveryStep<Sending>({
    ...scenario,
    arrange: async (world) => {
      const sending = await scenario.arrange(world);
      await env.DB.prepare("INSERT INTO mail_suppressions VALUES (?1, 'bounced', 1)")
        .bind(`${sending.workspaceId}@example.com`)
        .run();
      return sending;
    },
  });
  reportStress(task, finding);
});

it("the enqueueing of a mail survives a crash at any step", async ({ task }) => {
  const finding = await crashAtEveryStep<
    Caller & { readonly messageId: string; readonly provider: MailProvider }
  >({
    settings: MAIL,
    arrange: async (world) => {
      const provider = new MailProvider();
      world.receive = (request) => provider.handle(request);
      const caller = await newCaller({});
      return { ...caller, provider, messageId: await writeMail(world, caller.workspaceId) };
    },
    act: async (world) => {
      // The mail is in `DB`, whose sweep also enqueues mails of the shards.
      await world.sweepDirectory();
      return true;
    },
    settle: async (world, { messageId, provider }) => {
      await untilEnded(world, messageId);
      expect(provider.taken.size).toBe(1);
    },
  });
  reportStress(task, finding);
});
