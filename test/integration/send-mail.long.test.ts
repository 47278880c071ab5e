import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { MAIL_ATTEMPTS_MAX, MAIL_BACKOFF_SECONDS, MAIL_LIMITS } from "#api/mail-rules.ts";
import { type NewMail, sealLink } from "#domains/mail/outbox.ts";
import { runSweeps } from "#interface/queue/sweeps/run-sweeps.ts";
import { readCapabilities } from "#platform/bindings/capabilities.ts";
import { clock } from "#platform/clock.ts";
import { log } from "#platform/log/log.ts";
import { execute, selectValue } from "../support/database.ts";
import {
  consumeMail,
  HOUR_MS,
  holdMailQueue,
  MAIL_ENV,
  type MailProvider,
  newAddressMail,
  newResetMail,
  sendMail,
  standInProvider,
  storedMail,
  writeMail,
} from "../support/mail-provider.ts";

let provider: MailProvider;
let queue: ReturnType<typeof holdMailQueue>;
beforeEach(() => {
  provider = standInProvider();
  queue = holdMailQueue();
});

/** Advances the clock. */
function pass(ms: number): void {
  const laterMs = clock.now() + ms;
  vi.spyOn(clock, "now").mockReturnValue(laterMs);
}

const sweep = (): Promise<void> => runSweeps(readCapabilities(MAIL_ENV), clock.now());

const encryption = () => {
  const { mail } = readCapabilities(MAIL_ENV);
  if (mail === null) throw new Error("mail is not configured");
  return mail.encryption;
};

/** Inserts a mail with a link. */
async function writeWithLink(changes: Partial<Extract<NewMail, { kind: "reset-password" }>> = {}) {
  const mail = newResetMail(changes);
  const sealed = await sealLink(
    encryption(),
    mail.reference,
    "https://packs.example/reset-password#the-token",
  );
  return { mail, messageId: await writeMail({ ...mail, sealed }) };
}

describe("a mail", () => {
  it("goes to the provider once, with both parts and its link, and the stored link is deleted", async () => {
    const lines = vi.spyOn(log, "line");
    const { mail, messageId } = await writeWithLink();
    await sendMail();
    expect(queue.sent()).toContain(messageId);
    expect(await consumeMail(messageId)).toBe("acknowledged");
    expect(await consumeMail(messageId)).toBe("acknowledged");
    expect(provider.requests).toHaveLength(1);
    const [request] = provider.requests;
    expect(request?.url).toBe("https://api.resend.com/emails");
    expect(request?.headers.get("Authorization")).toBe(`Bearer ${MAIL_ENV.MAIL_API_KEY}`);
    const taken = provider.taken.get(messageId);
    expect(taken).toMatchObject({ from: MAIL_ENV.MAIL_FROM, to: [mail.address] });
    expect(taken?.subject).toBe("Reset your password");
    for (const part of [taken?.text, taken?.html]) expect(part).toContain("#the-token");
    expect(await storedMail(messageId)).toMatchObject({
      ...{ status: "sent", attempts: 1, failure_code: null, sealed: null, next_attempt_at: null },
    });
    const logged = JSON.stringify(lines.mock.calls);
    expect(logged).toContain(messageId);
    expect(logged).not.toMatch(/the-token|@example/);
  });

  it("that the provider has already accepted, though with other content, counts as sent", async () => {
    provider.answers.push(Response.json({ name: "invalid_idempotent_request" }, { status: 409 }));
    const messageId = await writeMail(newAddressMail());
    expect(await consumeMail(messageId)).toBe("acknowledged");
    expect((await storedMail(messageId))?.status).toBe("sent");
  });
});

describe("a mail that the provider does not accept", () => {
  it.each([
    ["500", new Response(null, { status: 500 }), 10],
    ["429 with Retry-After", new Response(null, { status: 429, headers: { "Retry-After": "90" } }), 90],
    ["401 for a wrong API key", Response.json({ name: "invalid_api_key" }, { status: 401 }), 10],
    [
      "409 because of a concurrent request",
      Response.json({ name: "concurrent_idempotent_requests" }, { status: 409 }),
      10,
    ],
    ["nothing", new TypeError("connection refused"), 10],
  ])("(%s) is retried", async (_, answer, delaySeconds) => {
    provider.answers.push(answer);
    const messageId = await writeMail(newAddressMail());
    expect(await consumeMail(messageId)).toEqual({ delaySeconds });
    expect(await storedMail(messageId)).toMatchObject({ status: "queued", attempts: 1, failure_code: null });
    // Too early: no mail is due.
    expect(await consumeMail(messageId)).toBe("acknowledged");
    expect(provider.requests).toHaveLength(1);
    pass(delaySeconds * 1_000);
    await consumeMail(messageId);
    expect((await storedMail(messageId))?.status).toBe("sent");
  });

  it.each([400, 422, 302])("(%i) has failed, and its link is deleted", async (status) => {
    provider.answers.push(new Response("{}", { status }));
    const { messageId } = await writeWithLink();
    expect(await consumeMail(messageId)).toBe("acknowledged");
    expect(await storedMail(messageId)).toMatchObject({
      ...{ status: "failed", failure_code: "REFUSED", sealed: null, next_attempt_at: null },
    });
  });

  it("API §20.1 is retried by the schedule, and then has failed", async () => {
    const messageId = await writeMail(newAddressMail());
    const waits: unknown[] = [];
    for (let attempt = 0; attempt < MAIL_ATTEMPTS_MAX; attempt += 1) {
      provider.answers.push(new Response(null, { status: 503 }));
      const result = await consumeMail(messageId);
      if (result === "acknowledged") break;
      waits.push(result.delaySeconds);
      pass((result.delaySeconds ?? 0) * 1_000);
    }
    expect(waits).toEqual(MAIL_BACKOFF_SECONDS);
    expect(await storedMail(messageId)).toMatchObject({ status: "failed", failure_code: "EXHAUSTED" });
  });

  it("is not retried after its expiry", async () => {
    provider.answers.push(new Response(null, { status: 503 }));
    const messageId = await writeMail(newAddressMail(undefined, clock.now() + 5_000));
    expect(await consumeMail(messageId)).toBe("acknowledged");
    expect(await storedMail(messageId)).toMatchObject({ status: "failed", failure_code: "EXPIRED" });
  });
});

describe("a crashed attempt", () => {
  /** Leases the mail for an attempt, which then crashes. */
  async function crashed() {
    const { messageId } = await writeWithLink();
    const id = crypto.randomUUID();
    await execute`UPDATE mail_messages SET status = 'sending', attempts = 1, lease_id = ${`${id}/1`},
      next_attempt_at = ${clock.now() + MAIL_LIMITS.leaseMs}, dispatched_at = ${clock.now()}
      WHERE message_id = ${messageId}`;
    return { messageId, id };
  }

  it("is followed at once by its message's next attempt, or by another message after the lease", async () => {
    const first = await crashed();
    expect(await consumeMail(first.messageId)).toBe("acknowledged");
    expect(provider.requests).toHaveLength(0);
    await consumeMail(first.messageId, { messageId: first.id });
    expect((await storedMail(first.messageId))?.status).toBe("sent");
    const second = await crashed();
    pass(MAIL_LIMITS.leaseMs);
    await consumeMail(second.messageId);
    expect((await storedMail(second.messageId))?.status).toBe("sent");
  });

  it("ends the mail if it was the last attempt", async () => {
    const { messageId, id } = await crashed();
    await execute`UPDATE mail_messages SET attempts = ${MAIL_ATTEMPTS_MAX} WHERE message_id = ${messageId}`;
    expect(await consumeMail(messageId, { messageId: id })).toBe("acknowledged");
    expect(await storedMail(messageId)).toMatchObject({
      ...{ status: "failed", failure_code: "EXHAUSTED", sealed: null },
    });
  });

  it("whose message becomes a dead letter leaves the mail pending, or failed if no attempts are left", async () => {
    const { messageId } = await crashed();
    pass(MAIL_LIMITS.leaseMs);
    await consumeMail(messageId, { queue: "creative-packs-mail-dead" });
    // The mail stays pending, and a new message was sent at once.
    expect(queue.sent()).toContain(messageId);
    await execute`UPDATE mail_messages SET attempts = ${MAIL_ATTEMPTS_MAX} WHERE message_id = ${messageId}`;
    await consumeMail(messageId, { queue: "creative-packs-mail-dead" });
    expect(await storedMail(messageId)).toMatchObject({ status: "failed", failure_code: "EXHAUSTED" });
  });
});

describe("the sweep", () => {
  it("sends mail whose message was lost or never sent", async () => {
    const unsent = await writeMail(newAddressMail());
    const lost = await writeMail(newAddressMail());
    await execute`UPDATE mail_messages SET dispatched_at = ${clock.now()} WHERE message_id = ${lost}`;
    await sweep();
    expect(queue.sent()).toEqual(expect.arrayContaining([unsent]));
    expect(queue.sent()).not.toContain(lost);
    pass(11 * 60_000);
    await sweep();
    expect(queue.sent()).toContain(lost);
  });

  it("gives up expired mail, and deletes it a month later", async () => {
    const { messageId } = await writeWithLink();
    pass(HOUR_MS);
    await sweep();
    expect(await storedMail(messageId)).toMatchObject({
      ...{ status: "failed", failure_code: "EXPIRED", sealed: null },
    });
    pass(MAIL_LIMITS.retentionMs);
    await sweep();
    expect(await storedMail(messageId)).toBeNull();
  });

  it("keeps a digest until the end of its hour", async () => {
    const messageId = await writeMail(newAddressMail());
    await execute`UPDATE mail_messages SET next_attempt_at = ${clock.now() + HOUR_MS} WHERE message_id = ${messageId}`;
    await sweep();
    expect(queue.sent()).not.toContain(messageId);
    pass(HOUR_MS);
    await sweep();
    expect(queue.sent()).toContain(messageId);
  });
});

it.each([
  [
    "another mail's link",
    async () => {
      const { messageId } = await writeWithLink();
      await execute`UPDATE mail_messages SET reference = ${crypto.randomUUID()} WHERE message_id = ${messageId}`;
      return messageId;
    },
  ],
  ["no link", async () => writeMail(newResetMail())],
  [
    "facts of another kind",
    async () => {
      const messageId = await writeMail(newAddressMail());
      await execute`UPDATE mail_messages SET facts = '{}' WHERE message_id = ${messageId}`;
      return messageId;
    },
  ],
])("a mail with unreadable link or facts fails, and nothing is sent: %s", async (_, arrange) => {
  const messageId = await arrange();
  await consumeMail(messageId);
  expect(provider.requests).toHaveLength(0);
  expect(await storedMail(messageId)).toMatchObject({ status: "failed", failure_code: "UNREADABLE" });
});

describe("the platform's binding", () => {
  /** The worker's environment with a mail binding that responds like this. */
  const bound = (send: (mail: EmailMessage | EmailMessageBuilder) => Promise<EmailSendResult>) => ({
    ...MAIL_ENV,
    EMAIL: { send },
  });
  const refusal = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));

  it("gets the mail, with the sender's name in a separate property", async () => {
    const sent: unknown[] = [];
    const settings = bound(async (mail) => {
      sent.push(mail);
      return { messageId: "1" };
    });
    const mail = newAddressMail();
    const messageId = await writeMail(mail);
    await consumeMail(messageId, { settings });
    expect(sent).toMatchObject([
      {
        from: { name: "Creative Packs", email: "mail@packs.example" },
        to: mail.address,
        subject: "Your account’s email address was changed",
      },
    ]);
    expect((await storedMail(messageId))?.status).toBe("sent");
    expect(provider.requests).toHaveLength(0);
  });

  it.each([
    ["E_RATE_LIMIT_EXCEEDED", { status: "queued", failure_code: null }],
    ["E_DAILY_LIMIT_EXCEEDED", { status: "queued", failure_code: null }],
    ["E_INTERNAL_SERVER_ERROR", { status: "queued", failure_code: null }],
    ["E_VALIDATION_ERROR", { status: "failed", failure_code: "REFUSED" }],
    ["E_RECIPIENT_SUPPRESSED", { status: "suppressed", failure_code: null }],
  ])("throws %s: the mail is retried, failed or suppressed accordingly", async (code, end) => {
    const mail = newAddressMail();
    const messageId = await writeMail(mail);
    await consumeMail(messageId, { settings: bound(() => refusal(code)) });
    expect(await storedMail(messageId)).toMatchObject(end);
    const suppressed =
      await selectValue`SELECT reason FROM mail_suppressions WHERE address = ${mail.address}`;
    expect(suppressed).toBe(end.status === "suppressed" ? "bounced" : null);
  });
});

it("without mail settings, mails wait until they expire, and none is lost", async () => {
  const messageId = await writeMail(newAddressMail());
  expect(await consumeMail(messageId, { settings: env })).not.toBe("acknowledged");
  await runSweeps(readCapabilities(env), clock.now());
  expect((await storedMail(messageId))?.status).toBe("queued");
  await runSweeps(readCapabilities(env), clock.now() + 24 * HOUR_MS);
  expect(await storedMail(messageId)).toMatchObject({ status: "failed", failure_code: "EXPIRED" });
});
