import type { Context } from "hono";
import { MAIL_LIMITS } from "#api/mail-rules.ts";
import { receivedReportSchema } from "#api/schemas/mail.ts";
import { applyReport } from "#domains/mail/apply-report.ts";
import { isSigned } from "#domains/mail/verify-report.ts";
import { PUBLIC } from "#interface/http/access.ts";
import type { AppEnv } from "#interface/http/context.ts";
import { finishAfterDisconnect } from "#interface/http/context.ts";
import { refused, succeed } from "#interface/http/envelope.ts";
import { readSignedText } from "#interface/http/json-body.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";

/** The platform's own mail binding sends no reports. Without a secret no report can be verified. */
function requireSecret(c: Context<AppEnv>): string {
  const { webhookSecret } = requireCapability(c, "mail");
  if (webhookSecret !== null) return webhookSecret;
  const settings = ["MAIL_WEBHOOK_SECRET"];
  const message = "Reports of mail are not configured on this origin: MAIL_WEBHOOK_SECRET is missing.";
  throw refused("SERVICE_NOT_CONFIGURED", message, { settings });
}

export const receiveMailReportRoute = defineRoute({
  operationId: "receiveMailReport",
  route: "POST /api/mail/events",
  summary: "Receive a report of the mail provider",
  description:
    "For the mail provider only: the raw body, signed by Svix in `svix-signature` over `svix-id`, `svix-timestamp` " +
    "and the body, at most five minutes ago. An address that bounced permanently or complained gets no more email. " +
    "All other reports also get 200. Not rate limited.",
  access: PUBLIC,
  ignoresOtherParameters: true,
  needs: ["database", "mail"],
  errors: ["SIGNATURE_INVALID", "BODY_INCOMPLETE", "PAYLOAD_TOO_LARGE"],
  responses: { 200: success(receivedReportSchema, "The report was accepted") },
  handler: async (c) => {
    const { directory: db } = requireCapability(c, "database").databases;
    const secret = requireSecret(c);
    const { nowMs } = c.var;
    const header = (name: string): string => c.req.header(name) ?? "";
    const report = {
      body: await readSignedText(c, MAIL_LIMITS.reportBytesMax),
      id: header("svix-id"),
      timestamp: header("svix-timestamp"),
      signature: header("svix-signature"),
    };
    if (!(await isSigned(report, secret, nowMs))) {
      const message = "The report is not signed with the current secret, or was signed too long ago.";
      throw refused("SIGNATURE_INVALID", message);
    }
    return succeed(c, 200, { outcome: await finishAfterDisconnect(c, applyReport(db, report.body, nowMs)) });
  },
});
