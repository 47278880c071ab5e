import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { inRoot } from "../../local/paths.ts";

/** Response headers of the static files: documentation, fonts and Studio. */

const SHARED = [
  "Referrer-Policy: no-referrer",
  "X-Content-Type-Options: nosniff",
  "Strict-Transport-Security: max-age=31536000; includeSubDomains",
];

/** A Content-Security-Policy that allows only this origin and nothing inline. `own` replaces single directives. */
const policy = (own: Readonly<Record<string, string>> = {}): string =>
  Object.entries({
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "font-src": "'self'",
    "img-src": "'self'",
    "connect-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
    ...own,
  })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join("; ");

/** Policy of the try-it page. Swagger UI writes its styles and icons inline, but runs no inline script. */
const TRY_POLICY = policy({ "style-src": "'self' 'unsafe-inline'", "img-src": "'self' data:" });

/** The Content-Security-Policy source of the Studio's only style element, which the colour picker inserts. */
function pickerStyle(): string {
  const script = readFileSync(inRoot("node_modules/react-colorful/dist/index.mjs"), "utf8");
  const css = /\.innerHTML='((?:[^'\\]|\\')+)'/.exec(script)?.[1];
  if (css === undefined) throw new Error("the styles of react-colorful are no longer where they were");
  const hash = createHash("sha256").update(css.replaceAll("\\'", "'"));
  return `'sha256-${hash.digest("base64")}'`;
}

/**
 * Policy of the Studio's pages. The engine is WebAssembly; rendered and downloaded images are shown as blobs. Paths of
 * pages contain workspace ids, so this policy is the default for every path without one of its own.
 */
export const STUDIO_POLICY = policy({
  "script-src": "'self' 'wasm-unsafe-eval'",
  "style-src": `'self' ${pickerStyle()}`,
  "worker-src": "'self'",
  "font-src": "'self' blob:",
  "img-src": "'self' blob: data:",
  "media-src": "blob:",
  "frame-src": "'self'",
});

/** Policy of the page in which the Studio runs HTML5 banners: inline styles and scripts, no origin, no network. */
const BANNER_POLICY = policy({
  "script-src": "'unsafe-inline'",
  "style-src": "'unsafe-inline'",
  "font-src": "'none'",
  "img-src": "data:",
  "connect-src": "'none'",
  "frame-ancestors": "'self'",
  sandbox: "allow-scripts",
});

const rule = (path: string, headers: readonly string[]): string =>
  [path, ...headers.map((header) => `  ${header}`)].join("\n");

/** The file `_headers`. All rules that match a path apply, so a later rule removes the policy that it replaces. */
export const headersFile = (): string =>
  [
    rule("/*", [...SHARED, `Content-Security-Policy: ${STUDIO_POLICY}`]),
    rule("/studio/*", ["Cache-Control: public, max-age=31536000, immutable"]),
    ...["/docs", "/docs/*", "/llms.txt", "/llms-full.txt"].map((path) =>
      rule(path, [
        "! Content-Security-Policy",
        "Cache-Control: public, max-age=300",
        `Content-Security-Policy: ${policy()}`,
      ]),
    ),
    rule("/fonts/*", ["Cache-Control: public, max-age=86400"]),
    rule("/banner", ["! Content-Security-Policy", `Content-Security-Policy: ${BANNER_POLICY}`]),
    rule("/docs/try", ["! Content-Security-Policy", `Content-Security-Policy: ${TRY_POLICY}`]),
  ]
    .join("\n")
    .concat("\n");
