import { imagePath } from "../support/images.ts";
import type { WorkspaceRequest } from "../support/workspace.ts";
import { type Caller, callerWithLogo, type Intent } from "./client.ts";
import type { Reply, World } from "./world.ts";

/** A workspace that signs image URLs. */
export interface Signer extends Caller, Intent {
  /** Path and query of a signed image URL. Each version is a different image. */
  readonly path: (version?: string) => Promise<string>;
}

/** A workspace with a logo and an image secret. */
export async function newSigner(world: World, request: WorkspaceRequest): Promise<Signer> {
  const caller = await callerWithLogo(world, request);
  const made = await world.request({
    method: "POST",
    path: "/api/v1/image-secrets",
    secret: caller.secret,
    body: { name: "Shop" },
  });
  if (made.status !== 201) throw new Error(`the secret was refused: ${JSON.stringify(made.body)}`);
  const path = (version = "1") =>
    imagePath(made.body.data.secret, caller.assetId, { parameters: { version } });
  return { ...caller, path };
}

/** Loads an image; the status is 0 if the transfer breaks off. */
export const loadImage = (world: World, path: string): Promise<Pick<Reply, "status">> =>
  world.request({ method: "GET", path }).catch(() => ({ status: 0 }));
