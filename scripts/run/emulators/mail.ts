/** Local Resend: `emulate` accepts emails, and the pages `/` and `/mails/<id>` show them. */
import { createEmulator } from "emulate";
import { z } from "zod";
import { serve } from "../receivers/serve.ts";
import { escapeHtml, htmlPage } from "./html-page.ts";

/** A sent email. https://resend.com/docs/api-reference/emails/retrieve-email */
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
  /** Value of MAIL_API_URL, and URL of the page with sent emails. */
  readonly origin: string;
  /** All sent emails, oldest first. */
  readonly sent: () => Promise<readonly SentMail[]>;
  readonly stop: () => Promise<void>;
}

/** Newest first. */
function mailListPage(mails: readonly SentMail[]): Response {
  const lines = mails.toReversed().map(({ id, subject, created_at: at, to }) => {
    const about = `${at.slice(0, 19).replace("T", " ")}, to ${to.join(", ")}`;
    return `<li><a href="/mails/${escapeHtml(id)}">${escapeHtml(subject)}</a><br>${escapeHtml(about)}</li>`;
  });
  return htmlPage("Sent mail", `<p><a href="/">Look again</a></p><ol>${lines.join("")}</ol>`);
}

/** A sent email: its HTML without scripts, with links that open in a new tab, and its text. */
function mailPage({ from, to, subject, html, text }: SentMail): Response {
  const frame = `<iframe title="The mail" sandbox="allow-popups allow-popups-to-escape-sandbox"
srcdoc="${escapeHtml(`<base target="_blank">${html ?? ""}`)}"></iframe>`;
  return htmlPage(
    subject,
    `<p>${escapeHtml(`From ${from} to ${to.join(", ")}`)}. <a href="/">All mail</a></p>${html === null ? "" : frame}
<h2>As text</h2><pre>${escapeHtml(text ?? "")}</pre>`,
  );
}

export async function startMail(): Promise<LocalMail> {
  const emulator = await createEmulator({ service: "resend", port: 0 });
  const emulatorOrigin = `http://127.0.0.1:${new URL(emulator.url).port}`;

  async function sent(): Promise<readonly SentMail[]> {
    const response = await fetch(`${emulatorOrigin}/emails`);
    return listSchema.parse(await response.json()).data;
  }

  async function forward(request: Request, asked: URL): Promise<Response> {
    const key = request.headers.get("Idempotency-Key");
    return fetch(`${emulatorOrigin}${asked.pathname}${asked.search}`, {
      method: request.method,
      headers: {
        "Content-Type": request.headers.get("Content-Type") ?? "application/json",
        ...(key === null ? {} : { "Idempotency-Key": key }),
      },
      ...(request.method === "GET" ? {} : { body: await request.text() }),
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
