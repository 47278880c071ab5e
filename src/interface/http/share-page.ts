import type { Context } from "hono";
import type { z } from "zod";
import type { createShareBody } from "#api/schemas/share.ts";
import { presentShare } from "#domains/shares/share.ts";
import { signShare } from "#domains/shares/share-token.ts";
import type { Share } from "#domains/shares/store.ts";
import type { AppEnv } from "./context.ts";
import { publicOrigin } from "./origin.ts";
import { requireCapability } from "./require-capability.ts";

/** A share link as members see it, with its page's URL. The URL is signed at each read and never stored. */
export const showShare = async (c: Context<AppEnv>, share: Share) =>
  presentShare(share, await pageOfShare(c, share), c.get("nowMs"));

/** The URL of a share link's page. */
export async function pageOfShare(c: Context<AppEnv>, share: Share): Promise<string> {
  const keys = requireCapability(c, "downloadSigning");
  const token = await signShare(keys, share.shareId, share.expiresAt);
  return `${publicOrigin(c)}/review/${token}`;
}

/** A new link's settings from its body. Times in Unix ms, null if absent. */
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
