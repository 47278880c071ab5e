/** Pages that replace the providers' pages. */

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 48rem; padding: 2rem 1rem; }
h1 { font-size: 1.5rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; }
dd { margin: 0; text-align: right; }
button { font: inherit; padding: .5rem 1rem; }
iframe { background: #fff; border: 1px solid; height: 75vh; width: 100%; }
pre { white-space: pre-wrap; }
`;

/** A page with a note that it is simulated. `body` is HTML. */
export function htmlPage(title: string, body: string, status = 200): Response {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>${STYLE}</style>
<main><p>Simulated on this machine. No money moves, no mail leaves.</p><h1>${escapeHtml(title)}</h1>${body}</main></html>`;
  return new Response(html, { status, headers: { "Content-Type": "text/html; charset=utf-8" } });
}
