import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Call } from "./client.ts";

/** A well-formed request for each operation of API §4.1, §9.3, with ids that do not exist. */

const reference = readFileSync("docs/api.md", "utf8");

/** Operation (`METHOD path`) → scope, from the table of API §4.1. */
const SCOPES_BY_OPERATION = new Map(
  [...reference.matchAll(/^\| `([A-Z]+ \/api\/v1\/[^`]+)` +\| `([a-z-]+:[a-z]+)`/gm)].map(
    ([, operation = "", scope = ""]) => [operation, scope],
  ),
);

export const PROTECTED: readonly string[] = [...SCOPES_BY_OPERATION.keys()];

export const scopeOf = (operation: string): string => {
  const scope = SCOPES_BY_OPERATION.get(operation);
  if (scope === undefined) throw new Error(`no scope known for ${operation}`);
  return scope;
};

const JOB_BODY = {
  contractId: "display.v1",
  selectedSizeIds: ["iab-300x250"],
  assetIds: { logo: randomUUID() },
};

const BODIES: Readonly<Record<string, () => Call>> = {
  "POST /api/v1/api-keys": () => ({ json: { name: "build server", scopes: ["balance:read"] } }),
  "POST /api/v1/assets/uploads": () => ({
    json: {
      slotId: "logo",
      fileName: "logo.png",
      mimeType: "image/png",
      byteLength: 900,
      width: 256,
      height: 256,
    },
    idempotencyKey: randomUUID(),
  }),
  "POST /api/v1/assets/imports": () => ({
    json: { slotId: "logo", url: "https://images.example.com/logo.png" },
    idempotencyKey: randomUUID(),
  }),
  "PUT /api/v1/assets/uploads/{uploadId}/object": () => ({
    bytes: new Uint8Array(8),
    headers: { "Content-Type": "image/png" },
  }),
  "PUT /api/v1/assets/upload-object": () => ({
    bytes: new Uint8Array(8),
    headers: { "Content-Type": "image/png", "x-service-cc-upload-id": randomUUID() },
  }),
  "POST /api/v1/assets/uploads/{uploadId}/complete": () => ({
    json: { assetId: randomUUID(), byteLength: 900 },
    idempotencyKey: randomUUID(),
  }),
  "POST /api/v1/brands": () => ({ json: { name: "Velo" }, idempotencyKey: randomUUID() }),
  "PATCH /api/v1/brands/{brandId}": () => ({ json: { name: "Velo" } }),
  "POST /api/v1/image-urls": () => ({ json: { sizeId: "iab-320x50", parameters: { logo: randomUUID() } } }),
  "POST /api/v1/image-secrets": () => ({ json: { name: "Shop" } }),
  "POST /api/v1/previews": () => ({ json: JOB_BODY, idempotencyKey: randomUUID() }),
  "POST /api/v1/jobs": () => ({ json: JOB_BODY, idempotencyKey: randomUUID() }),
  "PATCH /api/v1/jobs/{jobId}": () => ({ json: { name: "Spring sale" } }),
  "POST /api/v1/artifacts/{artifactId}/shares": () => ({ json: { name: "First round" } }),
  "POST /api/v1/artifacts/{artifactId}/shares/{shareId}/mail": () => ({
    json: { email: "grace@packs.example", language: "en" },
  }),
  "PATCH /api/v1/artifacts/{artifactId}/shares/{shareId}": () => ({ json: { isClean: true } }),
  "POST /api/v1/artifacts/{artifactId}/shares/{shareId}/comments": () => ({ json: { text: "Done." } }),
  "PATCH /api/v1/artifacts/{artifactId}/shares/{shareId}/comments/{commentId}": () => ({
    json: { isResolved: true },
  }),
  "POST /api/v1/artifacts/{artifactId}/destinations": () => ({ json: { destinationId: randomUUID() } }),
  "POST /api/v1/destinations": () => ({ json: { kind: "webhook", url: "https://hooks.example.com/packs" } }),
  "PATCH /api/v1/destinations/{destinationId}": () => ({ json: { events: ["job.failed"] } }),
  "POST /api/v1/jobs/quote": () => ({ json: JOB_BODY }),
};

/** A request for the operation; every id in the path is `id`. */
export function exampleCallOf(
  operation: string,
  id: string = randomUUID(),
): { readonly method: string; readonly path: string; readonly call: Call } {
  const [method = "GET", template = "/"] = operation.split(" ");
  return { method, path: template.replace(/\{[^}]+\}/g, id), call: BODIES[operation]?.() ?? {} };
}
