import type { OpenAPIHono } from "@hono/zod-openapi";
import { cookieNameOf } from "../accounts/session-cookie.ts";
import type { AppEnv } from "../http/context.ts";
import { isNoneMatchHit } from "../http/etag.ts";
import { publicOrigin } from "../http/origin.ts";
import type { Route } from "../http/route.ts";
import { sha256Hex } from "../platform/hashing.ts";
import { createDocument } from "./document.ts";

/** The viewer's files are static assets of this origin; see scripts/make-docs.ts. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Creative Packs API</title>
<link rel="icon" href="/docs/icon.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/reference.css">
</head>
<body>
<form id="use-key">
<label for="key">API key for what you try here</label>
<div><input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="cpk_…"><button>Use key</button></div>
<p id="key-said" role="status">It stays in this page. No key yet? <a href="/">Claim a trial key</a>.</p>
</form>
<div id="reference"></div>
<noscript>The description of the interface is at <a href="/openapi.json">/openapi.json</a>.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** Everything from this origin. The viewer writes its styles and icons inline; it runs no inline script. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const CACHED = "public, max-age=300";

/** Adds `/openapi.json`, which describes the routes, and `/docs`, which shows it. */
export function addDocumentation(app: OpenAPIHono<AppEnv>, routes: readonly Route[]): void {
  // Made at its first request, for each name of the cookie: other isolates never pay for it.
  const descriptions = new Map<string, Promise<{ text: string; etag: string }>>();
  const describe = async (sessionCookie: string) => {
    const text = JSON.stringify(createDocument(routes, sessionCookie));
    return { text, etag: `"${await sha256Hex(text)}"` };
  };

  app.get("/openapi.json", async (c) => {
    c.set("operation", "getDescription");
    const sessionCookie = cookieNameOf(publicOrigin(c));
    const description = descriptions.get(sessionCookie) ?? describe(sessionCookie);
    descriptions.set(sessionCookie, description);
    const { text, etag } = await description;
    const headers = { "Cache-Control": CACHED, ETag: etag };
    if (isNoneMatchHit(c.req.header("If-None-Match"), etag)) return c.body(null, 304, headers);
    return c.body(text, 200, { ...headers, "Content-Type": "application/json" });
  });

  app.get("/docs", (c) => {
    c.set("operation", "getDocumentation");
    return c.html(PAGE, 200, { "Cache-Control": CACHED, "Content-Security-Policy": PAGE_POLICY });
  });
}
