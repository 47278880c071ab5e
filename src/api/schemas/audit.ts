import { z } from "@hono/zod-openapi";
import { AUDIT_ACTORS, AUDIT_TYPES } from "../audit-types.ts";
import { limitQuery, pageOf, timestampSchema } from "./primitives.ts";

/** The audit log: who changed what in a workspace. */

/** An event's id, which is also the cursor of its page. */
export const AUDIT_CURSOR = /^[0-9a-f]{32}$/;

const typeSchema = z.enum(AUDIT_TYPES);

const auditEventSchema = z
  .object({
    eventId: z
      .string()
      .regex(AUDIT_CURSOR)
      .openapi({ description: "Id of the event. Later events have larger ids." }),
    type: typeSchema.openapi({ description: "Event type. Later versions may add types." }),
    createdAt: timestampSchema,
    actor: z
      .object({
        kind: z.enum(AUDIT_ACTORS),
        id: z
          .string()
          .nullable()
          .openapi({ description: "Id of the account or API key; null for other actors." }),
        name: z.string().nullable().openapi({ description: "Name of the actor at the time of the event." }),
        email: z
          .string()
          .nullable()
          .openapi({ description: "Email address of the account at the time of the event." }),
      })
      .openapi("AuditActor", {
        description:
          "Who did it. `operator` runs this origin; `system` is an event of the payment provider or a scheduled task.",
      }),
    subject: z
      .object({
        id: z.string().nullable(),
        name: z
          .string()
          .nullable()
          .openapi({
            description:
              "Name of the key, person or plan, host of the destination, or description of the ledger event, at the " +
              "time of the event.",
          }),
      })
      .openapi("AuditSubject", { description: "What was changed." }),
    credits: z
      .int()
      .nullable()
      .openapi({ description: "Credits added (positive) or taken (negative); null if none." }),
    detail: z.string().nullable().openapi({
      description:
        "Depends on `type`: scopes of a new key, events of a webhook, quota of a plan, or new access.",
    }),
    requestId: z
      .string()
      .nullable()
      .openapi({ description: "`X-Request-ID` of the request; null if there was none." }),
  })
  .openapi("AuditEvent", {
    example: {
      eventId: "0199f0c47b6e7c3a9b0e2f5d1c8a4e71",
      type: "key.created",
      createdAt: "2026-06-18T12:00:00.000Z",
      actor: {
        kind: "account",
        id: "0199f0d1-3a52-7e0b-8c11-4f6a9d2e7b30",
        name: "Ada",
        email: "ada@packs.example",
      },
      subject: { id: "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71", name: "Build server" },
      credits: null,
      detail: "jobs:read jobs:write",
      requestId: "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e72",
    },
  });
export type AuditEventView = z.infer<typeof auditEventSchema>;

export const auditPageSchema = pageOf(auditEventSchema).openapi("AuditPage");

export const auditQuery = z.object({
  limit: limitQuery,
  before: z.string().regex(AUDIT_CURSOR, "must be `nextBefore` of the previous page").optional().openapi({
    description: "`nextBefore` of the previous page.",
    example: "0199f0c47b6e7c3a9b0e2f5d1c8a4e71",
  }),
  type: typeSchema.optional().openapi({ description: "Only events of this type." }),
  format: z.enum(["json", "csv"]).default("json").openapi({
    description: "`csv` returns the events as a table (RFC 4180), with the next page in the `Link` header.",
    example: "json",
  }),
});
