import { expect } from "vitest";
import { LIMITS } from "../../src/api/limits.ts";
import type { Crash } from "../fault/gate.ts";
import { LOGO } from "../fault/logo.ts";
import type { World } from "../fault/world.ts";
import { type Actor, type Chosen, Command, choose, isLetIn } from "./command.ts";
import { type Model, type ModelAsset, pick, reject } from "./model.ts";
import { postRemembered } from "./remembered-post.ts";

/** As long as the logo, and refused for good. */
const BAD = new TextEncoder().encode(
  `<svg xmlns="http://www.w3.org/2000/svg"><script>0</script></svg>`.padEnd(LOGO.byteLength),
);

/** Keys of a few names, so that they come again by chance. */
export const idempotencyKeyOf = (name: number): string => `key-${name}`;

export class CreateUpload extends Command {
  constructor(
    readonly actor: Actor,
    readonly key: number,
    readonly fileName: string,
    readonly crash: Crash | null,
  ) {
    super("upload", { actor, key, fileName, crash });
  }

  protected async act(model: Model, world: World): Promise<void> {
    const chosen = choose(model, this.actor);
    const body = {
      slotId: "logo",
      fileName: this.fileName,
      mimeType: "image/svg+xml",
      byteLength: LOGO.byteLength,
    };
    const created = await postRemembered(
      world,
      chosen,
      { path: "/api/v1/assets/uploads", body, idempotencyKey: idempotencyKeyOf(this.key), crash: this.crash },
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
  }
}

/** Why an upload takes nothing more, as the status that says so. */
function closedStatus(asset: ModelAsset, nowMs: number): number | null {
  if (asset.status === "ready") return 409;
  if (asset.isDeleted) return 404;
  // A sweep rejects an expired one's asset, whatever was sent for it, but its upload still says that it expired.
  if (asset.rejectedFor === "bytes") return 422;
  return nowMs >= asset.expiresAtMs ? 409 : null;
}

export class SendBytes extends Command {
  constructor(
    readonly actor: Actor,
    readonly asset: number,
    readonly isGood: boolean,
  ) {
    super("bytes", { actor, asset, isGood });
  }

  protected async act(model: Model, world: World): Promise<void> {
    const chosen = choose(model, this.actor);
    const asset = pick(chosen.workspace.assets, this.asset);
    if (asset === null) return;
    const { status, body } = await world.request({
      method: "PUT",
      path: `/api/v1/assets/uploads/${asset.uploadId}/object`,
      secret: chosen.key.secret,
      body: this.isGood ? LOGO : BAD,
      headers: { "Content-Type": "image/svg+xml" },
    });
    const closed = closedStatus(asset, world.nowMs);
    expect(status, JSON.stringify(body)).toBe(isLetIn(chosen, world.nowMs) ? (closed ?? 204) : 401);
    if (status === 204) asset.bytes = this.isGood ? "good" : "bad";
  }
}

export class CompleteUpload extends Command {
  constructor(
    readonly actor: Actor,
    readonly asset: number,
    readonly key: number,
    readonly crash: Crash | null,
  ) {
    super("complete", { actor, asset, key, crash });
  }

  #refusal(asset: ModelAsset, nowMs: number): { status: number } | null {
    const closed = closedStatus(asset, nowMs);
    if (closed !== null) return { status: closed };
    return asset.bytes === "good" ? null : { status: 422 };
  }

  protected async act(model: Model, world: World): Promise<void> {
    const chosen = choose(model, this.actor);
    const asset = pick(chosen.workspace.assets, this.asset);
    if (asset === null) return;
    const { assetId, uploadId } = asset;
    const refusal = this.#refusal(asset, world.nowMs);
    const wasValidated = this.#isValidated(chosen, asset, world.nowMs);
    const completed = await postRemembered(
      world,
      chosen,
      {
        path: `/api/v1/assets/uploads/${uploadId}/complete`,
        body: { assetId, byteLength: LOGO.byteLength },
        idempotencyKey: idempotencyKeyOf(this.key),
        crash: this.crash,
      },
      refusal,
      (reply) => reply.body.data.assetId,
    );
    if (completed !== null) asset.status = "ready";
    else if (wasValidated && asset.bytes === "bad") reject(asset, "bytes");
  }

  /** Whether the bytes are looked at: nothing before them refuses the request. */
  #isValidated(chosen: Chosen, asset: ModelAsset, nowMs: number): boolean {
    return (
      isLetIn(chosen, nowMs) &&
      !chosen.workspace.remembered.has(idempotencyKeyOf(this.key)) &&
      closedStatus(asset, nowMs) === null
    );
  }
}

export class DeleteAsset extends Command {
  constructor(
    readonly actor: Actor,
    readonly asset: number,
  ) {
    super("delete", { actor, asset });
  }

  protected async act(model: Model, world: World): Promise<void> {
    const chosen = choose(model, this.actor);
    const asset = pick(chosen.workspace.assets, this.asset);
    if (asset === null) return;
    const path = `/api/v1/assets/${asset.assetId}`;
    const { status } = await world.request({ method: "DELETE", path, secret: chosen.key.secret });
    expect(status).toBe(isLetIn(chosen, world.nowMs) ? 200 : 401);
    if (status === 200) asset.isDeleted = true;
  }
}
