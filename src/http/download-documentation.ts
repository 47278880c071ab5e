import { z } from "@hono/zod-openapi";
import { FILE_CONTENT_TYPES } from "../contract/schemas/artifact.ts";

/** How a file's bytes are documented: the contract's declared type, and the types that are really sent. */

const bytes = z.string().openapi({ type: "string", format: "binary" });

export const fileContent = Object.fromEntries(
  ["application/octet-stream", ...FILE_CONTENT_TYPES].map((contentType) => [contentType, { schema: bytes }]),
);
export const zipContent = { "application/zip": { schema: bytes } };

const text = (description: string, example: string) => ({
  description,
  schema: { type: "string" as const },
  example,
});

export const DOWNLOAD_HEADERS = {
  "X-Request-ID": text("Correlation id.", "0199f0c9-0a2b-7c44-8f10-5d6e7f809a1b"),
  "Content-Length": {
    description: "Exact bytes of the body.",
    schema: { type: "integer" as const },
    example: 41877,
  },
  "Content-Disposition": text(
    "`attachment` with the file's name (RFC 6266).",
    "attachment; filename=\"iab-300x250.png\"; filename*=UTF-8''iab-300x250.png",
  ),
  ETag: text(
    "The content's SHA-256; files only.",
    '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
  ),
  "Repr-Digest": text(
    "The content's SHA-256 (RFC 9530); files only.",
    "sha-256=:n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=:",
  ),
};

export const ifNoneMatchHeader = {
  "if-none-match": z.string().optional().openapi({
    description: "An ETag of an earlier download; 304 when it is still the content's.",
  }),
};
