import { z } from "zod";
import { suppressAddress } from "./suppression-store.ts";

/**
 * Applies Resend's reports: https://resend.com/docs/webhooks/emails/bounced,
 * https://resend.com/docs/webhooks/emails/complained
 */

/** Resend allows at most 50 recipients per mail; we send to one. */
const RECIPIENTS_MAX = 50;

const recipients = z.array(z.string().max(320)).max(RECIPIENTS_MAX);

const reportSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("email.bounced"),
    data: z.object({ to: recipients, bounce: z.object({ type: z.string() }) }),
  }),
  z.object({ type: z.literal("email.complained"), data: z.object({ to: recipients }) }),
]);
type Report = z.infer<typeof reportSchema>;

/** A full mailbox or an unavailable server does not count: the next mail may arrive. */
const PERMANENT = /^(?:permanent|hard)$/i;

function reasonOf(report: Report): "bounced" | "complained" | null {
  if (report.type === "email.complained") return "complained";
  return PERMANENT.test(report.data.bounce.type) ? "bounced" : null;
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/**
 * Applies a verified report: a permanent bounce or a complaint suppresses its addresses. May be repeated. `ignored`:
 * this service does not need the report.
 */
export async function applyReport(
  db: D1Database,
  body: string,
  nowMs: number,
): Promise<"suppressed" | "ignored"> {
  const report = reportSchema.safeParse(parseJson(body));
  const reason = report.success ? reasonOf(report.data) : null;
  if (!report.success || reason === null || report.data.data.to.length === 0) return "ignored";
  await db.batch(
    report.data.data.to.map((address) =>
      suppressAddress.bind(db, { address: address.trim().toLowerCase(), reason, nowMs }),
    ),
  );
  return "suppressed";
}
