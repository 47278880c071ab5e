import { z } from "@hono/zod-openapi";
import { uuidSchema } from "./primitives.ts";

/** Whether the people who look at a pack by its share links have approved it. */
export const APPROVALS = ["none", "in_review", "changes_requested", "approved"] as const;

/** What names a pack and says how far it is; no file depends on it. */
export const packStateShape = {
  name: z
    .string()
    .nullable()
    .openapi({ description: "As people call the pack; null for none.", example: null }),
  brandId: uuidSchema.nullable().openapi({
    description: "The saved brand that it was ordered with. What it took from it is among its own values.",
    example: null,
  }),
  versionOf: uuidSchema.nullable().openapi({
    description: "The job of the pack's first version; null for a first version.",
    example: null,
  }),
  approval: z.enum(APPROVALS).openapi({
    description:
      "The newest verdict on any of its share links. Without one, `in_review` while a link is open, else `none`. Deleted " +
      "links no longer count.",
  }),
};
