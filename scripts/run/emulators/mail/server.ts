import { createEmulator } from "emulate";
import { z } from "zod";
import { serve } from "../../receivers/serve.ts";
import { mailListPage, mailPage } from "./pages.ts";
import { mailSchema, type SentMail } from "./sent-mail.ts";

const listSchema = z.object({ data: z.array(mailSchema) });

export interface LocalMail {
  /** As MAIL_API_URL takes it, and where sent mail is read. */
  readonly origin: string;
  /** Everything sent so far, oldest first. */
  readonly sent: () => Promise<readonly SentMail[]>;
  readonly stop: () => Promise<void>;
}

/**
 * Resend on this machine: `emulate` takes the mail, and pages of our own show it, as `/` and `/mails/<id>`: those of the
 * emulator give a mail a small window on black.
 */
export async function startMail(): Promise<LocalMail> {
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
    stop: async () => {
      await server.close();
      await emulator.close();
    },
  };
}
