/** Headers of the site's files, which are served beside the worker and never reach it. */

const SHARED = [
  "Referrer-Policy: no-referrer",
  "X-Content-Type-Options: nosniff",
  "Strict-Transport-Security: max-age=31536000; includeSubDomains",
];

/** Everything from this origin, and nothing inline. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

/** The viewer of the try-it page writes its styles and icons inline; it runs no inline script. */
const TRY_POLICY = POLICY.map((directive) =>
  directive
    .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
    .replace("img-src 'self'", "img-src 'self' data:"),
);

const rule = (path: string, headers: readonly string[]): string =>
  [path, ...headers.map((header) => `  ${header}`)].join("\n");

/** The file `_headers`. Of several rules for one path all hold, so a later one takes away what it replaces. */
export const headersFile = (): string =>
  [
    ...["/docs", "/docs/*", "/llms.txt", "/llms-full.txt"].map((path) =>
      rule(path, [
        ...SHARED,
        "Cache-Control: public, max-age=300",
        `Content-Security-Policy: ${POLICY.join("; ")}`,
      ]),
    ),
    rule("/fonts/*", [...SHARED, "Cache-Control: public, max-age=86400"]),
    rule("/docs/try", ["! Content-Security-Policy", `Content-Security-Policy: ${TRY_POLICY.join("; ")}`]),
  ]
    .join("\n")
    .concat("\n");
