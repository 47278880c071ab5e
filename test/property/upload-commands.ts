import { expect } from "vitest";
import { LIMITS } from "#api/limits.ts";
import type { Crash } from "../fault/gate.ts";
import { EMPTY_LOGO, LOGO } from "../fault/logo.ts";
import { isClosed } from "../support/moves.ts";
import { type Actor, choose, command, isKeyAccepted } from "./command.ts";
import { type ModelAsset, pick, reject, type SentBytes } from "./model.ts";
import { isRefusedForMove } from "./move-commands.ts";
import { postRemembered } from "./remembered-post.ts";

/** A file that inspection rejects, of the same length as the logo. */
const BAD = new TextEncoder().encode(
  `<svg xmlns="http://www.w3.org/2000/svg"><script>0</script></svg>`.padEnd(LOGO.byteLength),
);

const BYTES: Readonly<Record<SentBytes, Uint8Array>> = { good: LOGO, empty: EMPTY_LOGO, bad: BAD };

/** Idempotency-Key by number. Commands use few numbers, so that keys repeat by chance. */
export const idempotencyKeyOf = (name: number): string => `key-${name}`;

export const createUpload = command<{ actor: Actor; key: number; fileName: string; crash: Crash | null }>(
  "upload",
  async (given, model, world) => {
    const chosen = choose(model, given.actor);
    const body = {
      slotId: "logo",
      fileName: given.fileName,
      mimeType: "image/svg+xml",
      byteLength: LOGO.byteLength,
    };
    const created = await postRemembered(
      world,
      chosen,
      {
        path: "/api/v1/assets/uploads",
        body,
        idempotencyKey: idempotencyKeyOf(given.key),
        crash: given.crash,
      },
      null,
      (reply) => reply.body.data.uploadId,
    );
    if (created === null) return;
    const { assetId, uploadId } = created.body.data;
    chosen.workspace.assets.push({
      assetId,
      uploadId,
      expiresAtMs: world.nowMs + LIMITS.uploadIntentLifetimeMs,
      bytes: "none",
      status: "processing",
      rejectedFor: null,
      isDeleted: false,
    });
  },
);

/** Expected status code if the upload accepts no more bytes; null if it does. */
function closedStatus(asset: ModelAsset, nowMs: number): number | null {
  if (asset.status === "ready") return 409;
  if (asset.isDeleted) return 404;
  // The sweep also rejects assets of expired uploads. Such an upload still reports that it expired (409).
  if (asset.rejectedFor === "bytes") return 422;
  return nowMs >= asset.expiresAtMs ? 409 : null;
}

export const sendBytes = command<{ actor: Actor; asset: number; sent: SentBytes }>(
  "bytes",
  async (given, model, world) => {
    const chosen = choose(model, given.actor);
    const asset = pick(chosen.workspace.assets, given.asset);
    if (asset === null) return;
    const reply = await world.request({
      method: "PUT",
      path: `/api/v1/assets/uploads/${asset.uploadId}/object`,
      secret: chosen.key.secret,
      body: BYTES[given.sent],
      headers: { "Content-Type": "image/svg+xml" },
    });
    const { status, body } = reply;
    if (isKeyAccepted(chosen, world.nowMs) && (await isRefusedForMove(chosen, reply))) return;
    const closed = closedStatus(asset, world.nowMs);
    expect(status, JSON.stringify(body)).toBe(isKeyAccepted(chosen, world.nowMs) ? (closed ?? 204) : 401);
    if (status === 204) asset.bytes = given.sent;
  },
);

export const completeUpload = command<{ actor: Actor; asset: number; key: number; crash: Crash | null }>(
  "complete",
  async (given, model, world) => {
    const chosen = choose(model, given.actor);
    const asset = pick(chosen.workspace.assets, given.asset);
    if (asset === null) return;
    const { assetId, uploadId } = asset;
    const idempotencyKey = idempotencyKeyOf(given.key);
    const closed = closedStatus(asset, world.nowMs);
    const status = closed ?? (asset.bytes === "none" || asset.bytes === "bad" ? 422 : null);
    // The bytes are inspected if no earlier check rejects the request.
    const wasValidated =
      isKeyAccepted(chosen, world.nowMs) &&
      !chosen.workspace.remembered.has(idempotencyKey) &&
      closed === null &&
      !(await isClosed(chosen.workspace.workspaceId));
    const completed = await postRemembered(
      world,
      chosen,
      {
        path: `/api/v1/assets/uploads/${uploadId}/complete`,
        body: { assetId, byteLength: LOGO.byteLength },
        idempotencyKey,
        crash: given.crash,
      },
      status === null ? null : { status },
      (reply) => reply.body.data.assetId,
    );
    if (completed !== null) asset.status = "ready";
    else if (wasValidated && asset.bytes === "bad") reject(asset, "bytes");
  },
);

export const deleteAsset = command<{ actor: Actor; asset: number }>("delete", async (given, model, world) => {
  const chosen = choose(model, given.actor);
  const asset = pick(chosen.workspace.assets, given.asset);
  if (asset === null) return;
  const path = `/api/v1/assets/${asset.assetId}`;
  const reply = await world.request({ method: "DELETE", path, secret: chosen.key.secret });
  const { status } = reply;
  if (isKeyAccepted(chosen, world.nowMs) && (await isRefusedForMove(chosen, reply))) return;
  expect(status).toBe(isKeyAccepted(chosen, world.nowMs) ? 200 : 401);
  if (status === 200) asset.isDeleted = true;
});
