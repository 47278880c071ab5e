import { randomUUID } from "node:crypto";
import type { Call } from "./client.ts";

/** A well-formed request for each operation of API §4.1, §9.3, with ids that exist nowhere. */

/** Operation (`METHOD path`) → scope, as the tables of API §4.1, §5.4 have them. */
const SCOPES_BY_OPERATION: Readonly<Record<string, string>> = {
  "GET /api/v1/balance": "balance:read",
  "GET /api/v1/usage": "balance:read",
  "GET /api/v1/usage/summary": "balance:read",
  "GET /api/v1/usage/statement": "balance:read",
  "GET /api/v1/api-keys": "api-keys:read",
  "POST /api/v1/api-keys": "api-keys:write",
  "DELETE /api/v1/api-keys/{apiKeyId}": "api-keys:write",
  "GET /api/v1/assets": "assets:read",
  "GET /api/v1/assets/{assetId}": "assets:read",
  "GET /api/v1/assets/{assetId}/content": "assets:read",
  "DELETE /api/v1/assets/{assetId}": "assets:write",
  "POST /api/v1/assets/uploads": "assets:write",
  "POST /api/v1/assets/imports": "assets:write",
  "PUT /api/v1/assets/uploads/{uploadId}/object": "assets:write",
  "POST /api/v1/assets/uploads/{uploadId}/complete": "assets:write",
  "PUT /api/v1/assets/upload-object": "assets:write",
  "GET /api/v1/previews/quota": "previews:read",
  "POST /api/v1/previews": "previews:write",
  "GET /api/v1/jobs": "jobs:read",
  "POST /api/v1/jobs": "jobs:write",
  "POST /api/v1/jobs/quote": "jobs:write",
  "GET /api/v1/jobs/{jobId}": "jobs:read",
  "POST /api/v1/jobs/{jobId}/cancel": "jobs:write",
  "GET /api/v1/artifacts": "artifacts:read",
  "GET /api/v1/artifacts/{artifactId}": "artifacts:read",
  "GET /api/v1/artifacts/{artifactId}/download": "artifacts:read",
  "GET /api/v1/artifacts/{artifactId}/files/{fileId}/download": "artifacts:read",
  "POST /api/v1/artifacts/{artifactId}/shares": "deliveries:write",
  "GET /api/v1/artifacts/{artifactId}/shares": "artifacts:read",
  "DELETE /api/v1/artifacts/{artifactId}/shares/{shareId}": "deliveries:write",
  "POST /api/v1/artifacts/{artifactId}/shares/{shareId}/mail": "deliveries:write",
  "GET /api/v1/artifacts/{artifactId}/shares/{shareId}/comments": "artifacts:read",
};

export const PROTECTED: readonly string[] = Object.keys(SCOPES_BY_OPERATION);

export const scopeOf = (operation: string): string => {
  const scope = SCOPES_BY_OPERATION[operation];
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
  "POST /api/v1/previews": () => ({ json: JOB_BODY, idempotencyKey: randomUUID() }),
  "POST /api/v1/jobs": () => ({ json: JOB_BODY, idempotencyKey: randomUUID() }),
  "POST /api/v1/artifacts/{artifactId}/shares": () => ({ json: { name: "First round" } }),
  "POST /api/v1/artifacts/{artifactId}/shares/{shareId}/mail": () => ({
    json: { email: "grace@packs.example", language: "en" },
  }),
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
