import { createHmac, randomUUID } from "node:crypto";
import { createEmulator } from "emulate";
import { z } from "zod";
import { serve } from "../../receivers/serve.ts";
import { mailListPage, mailPage } from "./pages.ts";

/** A mail that was sent. https://resend.com/docs/api-reference/emails/retrieve-email */
const mailSchema = z.object({
  id: z.string(),
  from: z.string(),
  to: z.array(z.string()),
  subject: z.string(),
  html: z.string().nullable(),
  text: z.string().nullable(),
  created_at: z.string(),
});
export type SentMail = Readonly<z.infer<typeof mailSchema>>;
const listSchema = z.object({ data: z.array(mailSchema) });

export interface LocalMail {
  /** As MAIL_API_URL takes it, and where sent mail is read. */
  readonly origin: string;
  /** Everything sent so far, oldest first. */
  readonly sent: () => Promise<readonly SentMail[]>;
  /** Reports a mail's address as one that does not exist. True when the report was taken. */
  readonly reportBounce: (mail: SentMail) => Promise<boolean>;
  /** Turns reports to another address; null sends none. */
  readonly pointReportsAt: (url: string | null) => void;
  readonly stop: () => Promise<void>;
}

/** The documented header of a report: HMAC-SHA-256 over id, time and body. https://docs.svix.com/receiving/verifying-payloads/how-manual */
function signReport(id: string, atSeconds: number, body: string, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${atSeconds}.${body}`).digest("base64")}`;
}

/** Recorded from https://resend.com/docs/webhooks/emails/bounced */
const bounceReport = (mail: SentMail) => ({
  type: "email.bounced",
  created_at: new Date().toISOString(),
  data: {
    email_id: mail.id,
    created_at: mail.created_at,
    from: mail.from,
    to: mail.to,
    subject: mail.subject,
    bounce: {
      message: "The recipient's email address does not exist.",
      subType: "General",
      type: "Permanent",
    },
  },
});

/** Where reports of bounces go and what signs them. */
interface ReportTarget {
  readonly url: string;
  readonly secret: string;
}

async function sendReport({ url, secret }: ReportTarget, mail: SentMail): Promise<boolean> {
  const body = JSON.stringify(bounceReport(mail));
  const id = `msg_${randomUUID()}`;
  const atSeconds = Math.floor(Date.now() / 1000);
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "svix-id": id,
      "svix-timestamp": String(atSeconds),
      "svix-signature": signReport(id, atSeconds, body, secret),
    },
    body,
  });
  await response.body?.cancel();
  return response.ok;
}

/**
 * Resend on this machine: `emulate` takes the mail, and pages of our own show it, as `/` and `/mails/<id>`: those of the
 * emulator give a mail a small window on black. `secret` signs its reports; null sends none.
 */
export async function startMail(secret: string | null): Promise<LocalMail> {
  let reportUrl: string | null = null;
  const emulator = await createEmulator({ service: "resend", port: 0 });
  const emulatorOrigin = `http://127.0.0.1:${new URL(emulator.url).port}`;

  async function sent(): Promise<readonly SentMail[]> {
    const response = await fetch(`${emulatorOrigin}/emails`);
    return listSchema.parse(await response.json()).data;
  }

  async function forward(request: Request, asked: URL): Promise<Response> {
    const key = request.headers.get("Idempotency-Key");
    const hasBody = request.method !== "GET" && request.method !== "HEAD";
    return fetch(`${emulatorOrigin}${asked.pathname}${asked.search}`, {
      method: request.method,
      headers: {
        "Content-Type": request.headers.get("Content-Type") ?? "application/json",
        ...(key === null ? {} : { "Idempotency-Key": key }),
      },
      ...(hasBody ? { body: await request.text() } : {}),
      redirect: "manual",
    });
  }

  const server = await serve(async (request) => {
    const asked = new URL(request.url);
    const [, kind = "", id] = asked.pathname.split("/");
    if (request.method !== "GET" || (kind !== "" && kind !== "mails")) {
      const isAllowed = /^Bearer ./.test(request.headers.get("Authorization") ?? "");
      if (!isAllowed) return Response.json({ statusCode: 401, name: "missing_api_key" }, { status: 401 });
      return forward(request, asked);
    }
    const mails = await sent();
    const mail = mails.find((each) => each.id === id);
    return mail === undefined ? mailListPage(mails) : mailPage(mail);
  });
  return {
    origin: server.origin,
    sent,
    reportBounce: async (mail) =>
      reportUrl !== null && secret !== null && sendReport({ url: reportUrl, secret }, mail),
    pointReportsAt: (url) => {
      reportUrl = url;
    },
    stop: async () => {
      await server.close();
      await emulator.close();
    },
  };
}
