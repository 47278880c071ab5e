import { env } from "cloudflare:workers";
import { z } from "zod";
import { enqueueMail } from "#domains/mail/dispatch-mail.ts";
import { mailStatement, type NewMail } from "#domains/mail/outbox.ts";
import type { Env } from "#platform/bindings/env.ts";
import { clock } from "#platform/clock.ts";
import type { ShardName } from "#platform/databases/shard-name.ts";
import { newId } from "#platform/ids.ts";
import { type Consumed, consumeMessage, type MessageOptions } from "./consume-message.ts";
import { selectRow } from "./database.ts";
import { standInForInternet } from "./internet.ts";
import { MAIL } from "./mail.ts";
import { recordMessages } from "./sent-messages.ts";

/** The mail provider, and mails to it through the worker's consumer. */

const mailSchema = z.strictObject({
  from: z.string(),
  to: z.tuple([z.email()]),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
});
export type TakenMail = z.infer<typeof mailSchema>;

/**
 * Accepts mail like Resend: once per Idempotency-Key; another mail with a used key is refused.
 * https://resend.com/docs/dashboard/emails/idempotency-keys
 */
export class MailProvider {
  /** Accepted mails by Idempotency-Key, in order. */
  readonly taken = new Map<string, TakenMail>();
  readonly requests: Request[] = [];
  /** Answers to the next mails, in order. `lost` accepts the mail, but loses the answer. */
  readonly answers: (Response | Error | "lost")[] = [];

  async handle(request: Request): Promise<Response> {
    this.requests.push(request.clone());
    const next = this.answers.shift();
    if (next instanceof Error) throw next;
    if (next instanceof Response) return next;
    const mail = mailSchema.parse(await request.json());
    const key = request.headers.get("Idempotency-Key") ?? "";
    const before = this.taken.get(key);
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(mail)) {
      return Response.json({ statusCode: 409, name: "invalid_idempotent_request" }, { status: 409 });
    }
    this.taken.set(key, mail);
    if (next === "lost") throw new TypeError("connection reset");
    return Response.json({ id: newId() });
  }
}

/** Replaces the provider. */
export function standInProvider(): MailProvider {
  const provider = new MailProvider();
  standInForInternet((request) => provider.handle(request));
  return provider;
}

export const MAIL_ENV: Env = { ...env, ...MAIL };

export const HOUR_MS = 3_600_000;

type ResetMail = Extract<NewMail, { kind: "reset-password" }>;

/** A mail about a password reset, to a new address. */
export const newResetMail = (changes: Partial<ResetMail> = {}): ResetMail => ({
  reference: `reset-password:${newId()}`,
  kind: "reset-password",
  address: `${newId()}@example.com`,
  language: "en",
  facts: { name: "Ada" },
  sealed: null,
  nowMs: clock.now(),
  expiresAtMs: clock.now() + HOUR_MS,
  ...changes,
});

/** A mail without a link. */
export const newAddressMail = (
  address = `${newId()}@example.com`,
  expiresAtMs = clock.now() + 24 * HOUR_MS,
): NewMail => ({
  reference: `address-changed:${newId()}`,
  kind: "address-changed",
  address,
  language: "en",
  facts: { name: "Ada", newAddress: "new@example.com" },
  sealed: null,
  nowMs: clock.now(),
  expiresAtMs,
});

/** Writes a mail; returns its id. */
export async function writeMail(mail: NewMail): Promise<string> {
  await mailStatement(env.DB, mail).run();
  const row = await selectRow<{ message_id: string }>`
    SELECT message_id FROM mail_messages WHERE reference = ${mail.reference}`;
  if (row === null) throw new Error("the mail was not written");
  return row.message_id;
}

export interface StoredMail {
  readonly status: string;
  readonly attempts: number;
  readonly failure_code: string | null;
  readonly sealed: string | null;
  readonly next_attempt_at: number | null;
  readonly dispatched_at: number | null;
  readonly finished_at: number | null;
}

export const storedMail = (messageId: string): Promise<StoredMail | null> => selectRow<StoredMail>`
  SELECT status, attempts, failure_code, sealed, next_attempt_at, dispatched_at, finished_at
  FROM mail_messages WHERE message_id = ${messageId}`;

/** Delivers the queue message of a mail. */
export const consumeMail = (
  messageId: string,
  { shard, ...options }: MessageOptions & { readonly shard?: ShardName } = {},
): Promise<Consumed> =>
  consumeMessage({ messageId, shard }, { queue: "creative-packs-mail", settings: MAIL_ENV, ...options });

/** Captures the messages to the mail queue; `sent` returns their mail ids so far. */
export function holdMailQueue(): { readonly sent: () => readonly string[] } {
  const sent = recordMessages(env.MAIL_QUEUE);
  return { sent: () => sent().map((body) => z.object({ messageId: z.uuid() }).parse(body).messageId) };
}

export const sendMail = (): Promise<void> => enqueueMail(env.MAIL_QUEUE, env.DB);
