import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { type AssetBody, assetSchema } from "#api/schemas/asset.ts";
import { post, resourceOf, send } from "./assets.ts";
import { type Consumed, consumeMessage, type MessageOptions } from "./consume-message.ts";
import { selectRows } from "./database.ts";
import { standInForInternet } from "./internet.ts";

/** File servers, and imports from them through the worker's consumer. */

export const HOST = "images.customer.example";
/** The query contains a secret. */
export const FILE_URL = `https://${HOST}/campaign/beach.jpg?token=in-the-query`;

type Answer = Response | Error | ((request: Request) => Response | Promise<Response>);

/** Replaces the internet: answers by URL; other URLs do not resolve. */
export function serve(answers: Readonly<Record<string, Answer | Answer[]>>): { readonly asked: string[] } {
  const asked: string[] = [];
  standInForInternet(async (request) => {
    asked.push(request.url);
    const found = answers[request.url];
    const answer = Array.isArray(found) ? found.shift() : found;
    if (answer === undefined) throw new TypeError("no such host");
    if (answer instanceof Error) throw answer;
    return typeof answer === "function" ? answer(request) : answer.clone();
  });
  return { asked };
}

/** A server's answer with a file. */
export const fileResponse = (
  bytes: Uint8Array,
  contentType: string | null,
  headers: Readonly<Record<string, string>> = {},
): Response => {
  const response = new Response(bytes, { headers });
  if (contentType !== null) response.headers.set("Content-Type", contentType);
  return response;
};

/** Makes sends to the queue fail, so that messages stay out of it. */
export const holdImportQueue = () =>
  vi.spyOn(env.IMPORT_QUEUE, "sendBatch").mockRejectedValue(new Error("the queue is down"));

export const postImport = (secret: string, body: unknown, idempotencyKey?: string): Promise<Response> =>
  post(secret, "/api/v1/assets/imports", body, idempotencyKey);

/** Creates an import; fails the test if it is refused. */
export const importing = async (
  secret: string,
  body: Readonly<Record<string, unknown>> = {},
): Promise<AssetBody> =>
  resourceOf(await postImport(secret, { slotId: "media", url: FILE_URL, ...body }), 202, assetSchema);

/** Delivers the message of an import. */
export const consumeImport = (assetId: string, options: MessageOptions = {}): Promise<Consumed> =>
  consumeMessage({ assetId }, { queue: "creative-packs-imports", ...options });

export const readAsset = async (secret: string, assetId: string): Promise<AssetBody> =>
  resourceOf(await send(secret, "GET", `/api/v1/assets/${assetId}`), 200, assetSchema);

/** Storage keys of an asset's objects. */
export async function objectsOf(workspaceId: string, assetId: string): Promise<readonly string[]> {
  const { objects } = await env.BUCKET.list({ prefix: `workspaces/${workspaceId}/assets/${assetId}/` });
  return objects.map(({ key }) => key);
}

/** A workspace's running imports, as stored. */
export const storedImports = (workspaceId: string) =>
  selectRows<{ asset_id: string; attempts: number; sealed: string; lease_id: string | null }>`
    SELECT * FROM asset_imports WHERE workspace_id = ${workspaceId}`;
