import { z } from "@hono/zod-openapi";
import { LIMITS } from "../limits.ts";
import { emailSchema, languageSchema } from "./account.ts";
import { nameOf, timestampSchema, uuidSchema } from "./primitives.ts";
import { strictBody } from "./strict-body.ts";

/** Workspaces, their members and invitations. */

const roleSchema = z.enum(["owner", "member"]).openapi({
  description:
    "A member reads everything and sends artifacts to destinations; only an owner manages keys and members.",
});

export const workspaceSchema = z
  .object({
    workspaceId: uuidSchema,
    name: z.string(),
    role: roleSchema,
    createdAt: timestampSchema,
  })
  .openapi("Workspace", {
    example: {
      workspaceId: "0199f0d1-3a52-7e0b-8c11-4f6a9d2e7b31",
      name: "My workspace",
      role: "owner",
      createdAt: "2026-06-18T12:00:00.000Z",
    },
  });
export type WorkspaceView = z.infer<typeof workspaceSchema>;

export const workspaceListSchema = z.object({ items: z.array(workspaceSchema) }).openapi("WorkspaceList");

export const createWorkspaceBody = strictBody({
  name: nameOf(LIMITS.workspaceNameCharactersMax, "Spring campaign"),
}).openapi("CreateWorkspace");

export const renameWorkspaceBody = strictBody({
  name: nameOf(LIMITS.workspaceNameCharactersMax, "Summer campaign"),
}).openapi("RenameWorkspace");

export const createInvitationBody = strictBody({
  email: emailSchema.optional().openapi({
    description: "Address to email the link to. Absent: no email; pass the code on yourself.",
  }),
  language: languageSchema
    .optional()
    .openapi({ description: "Language of the email. Default: the language of the inviter." }),
}).openapi("CreateInvitation", { example: { email: "grace@packs.example", language: "en" } });

const memberSchema = z
  .object({
    accountId: uuidSchema,
    name: z.string(),
    email: z
      .string()
      .openapi({ description: "Email address of the member. Unverified if this origin sends no mail." }),
    role: roleSchema,
    createdAt: timestampSchema,
  })
  .openapi("Member", {
    example: {
      accountId: "0199f0d1-3a52-7e0b-8c11-4f6a9d2e7b30",
      name: "Ada",
      email: "ada@packs.example",
      role: "owner",
      createdAt: "2026-06-18T12:00:00.000Z",
    },
  });

const invitation = z.object({
  invitationId: uuidSchema,
  createdAt: timestampSchema,
  expiresAt: timestampSchema,
});

const INVITATION = {
  invitationId: "0199f0d2-11c4-7f30-9d52-8b3e6a1f0c47",
  createdAt: "2026-06-18T12:00:00.000Z",
  expiresAt: "2026-06-21T12:00:00.000Z",
};

const invitationSchema = invitation.openapi("Invitation", { example: INVITATION });

export const createdInvitationSchema = invitation
  .extend({
    code: z.string().openapi({ description: "Shown only once, for the one person who is invited." }),
  })
  .openapi("CreatedInvitation", { example: { ...INVITATION, code: "cpi_…" } });

export const memberListSchema = z
  .object({ items: z.array(memberSchema), invitations: z.array(invitationSchema) })
  .openapi("MemberList");

export type InvitationView = z.infer<typeof invitationSchema>;
export type MemberListView = z.infer<typeof memberListSchema>;

export const removedMemberSchema = z
  .object({ accountId: uuidSchema })
  .openapi("RemovedMember", { example: { accountId: "0199f0d1-3a52-7e0b-8c11-4f6a9d2e7b30" } });

export const withdrawnInvitationSchema = z
  .object({ invitationId: uuidSchema })
  .openapi("WithdrawnInvitation", { example: { invitationId: INVITATION.invitationId } });

/** Longer than any code. */
const CODE_CHARACTERS_MAX = 100;

export const acceptInvitationBody = strictBody({
  code: z.string().min(1).max(CODE_CHARACTERS_MAX).openapi({ example: "cpi_…" }),
}).openapi("AcceptInvitation");
