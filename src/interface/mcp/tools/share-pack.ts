import { z } from "zod";
import { accept } from "#api/errors.ts";
import { uuidSchema } from "#api/schemas/primitives.ts";
import { createShareBody, shareSchema } from "#api/schemas/share.ts";
import { strictBody } from "#api/schemas/strict-body.ts";
import { createShare } from "#domains/shares/manage-shares.ts";
import { causeOf } from "#interface/http/audit-cause.ts";
import { shareRequestOf, showShare } from "#interface/http/share-page.ts";
import { pick } from "#platform/pick-members.ts";
import { ADDS_ONCE } from "../annotations.ts";
import { defineTool } from "../tool.ts";

const SHOWN = ["shareId", "artifactId", "status", "url", "isClean", "dueAt", "expiresAt"] as const;

const { name, message, dueAt, isClean, expiresAt } = createShareBody.shape;

export const sharePackTool = defineTool({
  name: "share_pack",
  title: "Share a pack",
  description:
    "Makes a link to a finished pack for people without an account, who see its pictures with a watermark, comment, approve " +
    "it or ask for changes. Each call makes another link. Free.",
  scope: "deliveries:write",
  windows: ["write"],
  needs: ["storage", "downloadSigning"],
  annotations: { ...ADDS_ONCE, idempotentHint: false },
  input: strictBody({
    artifactId: uuidSchema.describe("From get_pack, of a pack that has succeeded."),
    name: name.describe("The link's name."),
    message: message.describe("Your words to visitors."),
    dueAt: dueAt.describe("Date by which you ask for an answer."),
    expiresAt: expiresAt.describe("Default: when the pack's files expire."),
    isClean: isClean.describe("No watermark."),
  }),
  output: z.object(pick(shareSchema.shape, ...SHOWN)),
  run: async (c, { artifactId, ...asked }) => {
    const { db } = c.get("workspace");
    const made = await createShare(db, c.get("principal"), artifactId, shareRequestOf(asked), causeOf(c));
    return made.ok ? accept({ output: pick(await showShare(c, made.value), ...SHOWN) }) : made;
  },
});
