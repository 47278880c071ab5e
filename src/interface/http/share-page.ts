import type { Context } from "hono";
import type { z } from "zod";
import type { createShareBody } from "#api/schemas/share.ts";
import { presentShare } from "#domains/shares/share.ts";
import { signShare } from "#domains/shares/share-token.ts";
import type { Share } from "#domains/shares/store.ts";
import type { AppEnv } from "./context.ts";
import { publicOrigin } from "./origin.ts";
import { requireCapability } from "./require-capability.ts";

/** The link as members see it, with the address of its page. It is signed on each read, and stored nowhere. */
export const showShare = async (c: Context<AppEnv>, share: Share) =>
  presentShare(share, await pageOfShare(c, share), c.get("nowMs"));

/** The address of a link's page. */
export async function pageOfShare(c: Context<AppEnv>, share: Share): Promise<string> {
  const keys = requireCapability(c, "downloadSigning");
  const token = await signShare(keys, share.shareId, share.expiresAt);
  return `${publicOrigin(c)}/review/${token}`;
}

/** What a body asks of a new link. Times are Unix ms, null where the body has none. */
export const shareRequestOf = ({
  name = "",
  message = "",
  isClean,
  expiresAt,
  dueAt,
}: z.infer<typeof createShareBody>) => ({
  ...{ name, message, isClean },
  expiresAt: expiresAt === undefined ? null : Date.parse(expiresAt),
  dueAt: dueAt === undefined ? null : Date.parse(dueAt),
});
