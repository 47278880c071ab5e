import { z } from "@hono/zod-openapi";
import { uuidSchema } from "./primitives.ts";

/** Approval of a pack by the visitors of its share links. */
export const APPROVALS = ["none", "in_review", "changes_requested", "approved"] as const;

/** Name, origin and approval of a pack. Files do not depend on them. */
export const packStateShape = {
  name: z
    .string()
    .nullable()
    .openapi({ description: "Display name of the pack; null if it has none.", example: null }),
  brandId: uuidSchema.nullable().openapi({
    description:
      "Id of the saved brand in the request. The values taken from it are included in the job's own values.",
    example: null,
  }),
  versionOf: uuidSchema.nullable().openapi({
    description: "Id of the job that made the first version of the pack; null if this is the first.",
    example: null,
  }),
  approval: z.enum(APPROVALS).openapi({
    description:
      "Latest verdict on any share link. Without a verdict: `in_review` while a link is open, otherwise `none`. " +
      "Deleted links do not count.",
  }),
};
