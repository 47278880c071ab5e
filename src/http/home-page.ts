import type { OpenAPIHono } from "@hono/zod-openapi";
import { uint8ArrayToBase64 } from "uint8array-extras";
import { LIMITS } from "../api/limits.ts";
import { API_VERSION } from "../api/version.ts";
import type { AppEnv } from "./context.ts";
import { succeed } from "./envelope.ts";
import { claimCode, firstPackCode } from "./first-pack-samples.ts";
import { HOME_STYLE } from "./home-style.ts";
import { publicOrigin } from "./origin.ts";

/** What there is to go on to. */
const LINKS = {
  documentation: "/docs",
  description: "/openapi.json",
  contracts: "/api/v1/contracts",
  health: "/health",
} as const;

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const codeBlock = (text: string, label: string): string =>
  `<pre tabindex="0" role="region" aria-label="${label}"><code>${escapeHtml(text)}</code></pre>`;

const pageFor = (origin: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Creative Packs</title>
<link rel="icon" href="/docs/icon.png">
<style>${HOME_STYLE}</style>
</head>
<body>
<main>
<header>
<p class="name">Creative Packs</p>
<h1>One photo in. Every ad size out.</h1>
<p class="lead">An HTTP API that lays out a photo, a logo and some words for each size that ad networks and social
platforms take, under each one\u2019s byte cap, with a report of what was cropped or shrunk. A static size costs one credit.</p>
<div class="sizes" aria-hidden="true"><i></i><i></i><i></i><i></i><i></i></div>
<nav aria-label="Reference">
<a href="${LINKS.documentation}">API reference</a>
<a href="${LINKS.contracts}">Contracts and sizes</a>
<a href="${LINKS.description}">OpenAPI</a>
<a href="${LINKS.health}">Health</a>
</nav>
</header>
<section aria-labelledby="key">
<h2 id="key">A trial key</h2>
<p>${LIMITS.trialCredits} credits for one hour, without an account.</p>
${codeBlock(claimCode(origin), "Claim a trial key")}
</section>
<section aria-labelledby="pack">
<h2 id="pack">A first pack</h2>
<p>Three sizes from a photo of ours, into <code>pack.zip</code>, with the key from above.</p>
${firstPackCode(origin)
  .map(
    ({ language, text }, at) =>
      `<details name="language"${at === 0 ? " open" : ""}><summary>${language}</summary>${codeBlock(text, language)}</details>`,
  )
  .join("\n")}
</section>
<footer><p>Interface version ${API_VERSION}</p></footer>
</main>
</body>
</html>
`;

/** The page runs nothing and loads nothing but its icon; its one style is named by its hash. */
async function pagePolicy(): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(HOME_STYLE));
  return [
    "default-src 'none'",
    `style-src 'sha256-${uint8ArrayToBase64(new Uint8Array(hash))}'`,
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** A program asks for JSON by name; a browser, or curl that asks for nothing, gets the page. */
const wantsJson = (accept: string): boolean =>
  accept.includes("application/json") && !accept.includes("text/html");

/** `/`: what this origin is and how to begin, as a page or as JSON. */
export function addHomePage(app: OpenAPIHono<AppEnv>): void {
  app.get("/", async (c) => {
    c.set("operation", "getHome");
    c.header("Vary", "Accept");
    c.header("Cache-Control", "public, max-age=300");
    if (wantsJson(c.req.header("Accept") ?? "")) return succeed(c, 200, { name: "Creative Packs", ...LINKS });
    return c.html(pageFor(publicOrigin(c)), 200, { "Content-Security-Policy": await pagePolicy() });
  });
}
