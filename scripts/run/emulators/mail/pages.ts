import type { SentMail } from "./sent-mail.ts";

/** The page of sent mail that `npm run dev` names. */

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem 1rem; }
h1 { font-size: 1.5rem; }
ol { list-style: none; padding: 0; }
li { border-top: 1px solid; padding: .75rem 0; }
iframe { background: #fff; border: 1px solid; height: 75vh; width: 100%; }
pre { overflow-x: auto; white-space: pre-wrap; }
`;

function htmlPage(title: string, body: string): Response {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>${STYLE}</style><main><h1>${escapeHtml(title)}</h1>${body}</main></html>`;
  return new Response(html, { headers: { "Content-Type": "text/html; charset=utf-8" } });
}

const line = (mail: SentMail): string =>
  `<li><a href="/mails/${escapeHtml(mail.id)}">${escapeHtml(mail.subject)}</a><br>
${escapeHtml(`${mail.created_at.slice(0, 19).replace("T", " ")}, to ${mail.to.join(", ")}`)}</li>`;

/** Newest first. */
export function mailListPage(mails: readonly SentMail[]): Response {
  const lines = [...mails].reverse().map(line).join("");
  return htmlPage(
    "Sent mail",
    `<p>Mail that this machine's service has sent. None of it leaves the machine. <a href="/">Look again</a></p>
${lines === "" ? "<p>Nothing yet.</p>" : `<ol>${lines}</ol>`}`,
  );
}

/** A mail as it was sent: its HTML without scripts, with links that open in a tab of their own, and its text. */
export function mailPage(mail: SentMail): Response {
  const html =
    mail.html === null
      ? ""
      : `<iframe title="The mail" sandbox="allow-popups allow-popups-to-escape-sandbox"
srcdoc="${escapeHtml(`<base target="_blank">${mail.html}`)}"></iframe>`;
  const text = mail.text === null ? "" : `<h2>As text</h2><pre>${escapeHtml(mail.text)}</pre>`;
  return htmlPage(
    mail.subject,
    `<p>${escapeHtml(`From ${mail.from} to ${mail.to.join(", ")}`)}. <a href="/">All mail</a></p>${html}${text}`,
  );
}
