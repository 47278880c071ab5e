import { z } from "@hono/zod-openapi";
import { LIMITS } from "../limits.ts";
import { emailSchema, languageSchema } from "./account.ts";
import { motionSchema } from "./catalogue.ts";
import { nameOf, timestampSchema, uuidSchema } from "./primitives.ts";
import { strictBody } from "./strict-body.ts";

/** Links by which people without an account look at a pack, and what they say of it. */

const verdictSchema = z.enum(["approved", "changes-requested"]);

const TOKEN = "3f9c1d2e.WyIwMTk5ZjBjOC4uLiJd.Zm9vYmFy";
const PAGE_EXAMPLE = `https://packs.example/review/${TOKEN}`;

/** Control characters, turns of direction and halves of characters are not text; line breaks are. */
const UNSHOWN = /(?!\n)[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;

/** Plain text of several lines. */
const textOf = (charactersMax: number, example: string) =>
  z
    .string()
    .transform((given) => given.replace(/\r\n?/g, "\n").replaceAll("\t", " ").trim())
    .refine((given) => given.length <= charactersMax, `must be at most ${charactersMax} characters`)
    .refine((given) => !UNSHOWN.test(given), "must not contain control characters")
    .openapi({ type: "string", maxLength: charactersMax, example });

const EDGE = z.number().min(0).max(1);
const pinSchema = z.object({ x: EDGE, y: EDGE }).openapi({
  description: "A point of the picture, in shares of its width and height from its top left corner.",
  example: { x: 0.82, y: 0.12 },
});

const fileVerdictSchema = z.object({
  fileId: uuidSchema,
  verdict: verdictSchema.openapi({ description: "On the size of this file." }),
});

const comment = z.object({
  commentId: uuidSchema,
  name: z
    .string()
    .openapi({ description: "As the visitor gave it, unverified; of a member, the sender's name." }),
  text: z.string().openapi({ description: "Plain text with line breaks; empty beside a verdict alone." }),
  verdict: verdictSchema.nullable().openapi({ description: "On the whole pack; null for none." }),
  fileVerdicts: z
    .array(fileVerdictSchema)
    .openapi({ description: "Verdicts on single sizes, given with the one on the pack." }),
  fileId: uuidSchema.nullable().openapi({ description: "The file that it is about; null for the pack." }),
  pin: pinSchema
    .nullable()
    .openapi({ description: "The point of the file that it is about; null for none." }),
  replyTo: uuidSchema.nullable().openapi({ description: "The comment that it answers; null for none." }),
  isMember: z.boolean().openapi({ description: "Whether a member of the workspace wrote it." }),
  resolvedAt: timestampSchema
    .nullable()
    .openapi({ description: "When it was resolved; null while it is open." }),
  createdAt: timestampSchema,
});

const COMMENT_EXAMPLE = {
  commentId: "0199f0ca-2b3c-7d4e-8f50-617283940a1b",
  name: "Grace",
  text: "The logo may be larger in this one.",
  verdict: null,
  fileVerdicts: [],
  fileId: "0199f0c7-c0de-7aa1-9d3e-41b2f5a60c77",
  pin: { x: 0.82, y: 0.12 },
  replyTo: null,
  isMember: false,
  resolvedAt: null,
  createdAt: "2026-06-19T09:30:00.000Z",
};

export const shareCommentSchema = comment.openapi("ShareComment", { example: COMMENT_EXAMPLE });
/** A comment that the visitor has just written, with the token by which only they may resolve it. */
export const ownShareCommentSchema = comment
  .extend({
    commentToken: z.string().openapi({ description: "Resolves and reopens this comment; shown only here." }),
  })
  .openapi("OwnShareComment", { example: { ...COMMENT_EXAMPLE, commentToken: TOKEN } });
export const shareCommentListSchema = z
  .object({ items: z.array(shareCommentSchema) })
  .openapi("ShareCommentList", { example: { items: [COMMENT_EXAMPLE] } });

export const shareSchema = z
  .object({
    ...{ shareId: uuidSchema, artifactId: uuidSchema },
    name: z.string().openapi({ description: "Empty where none was given." }),
    status: z.enum(["open", "expired", "revoked"]),
    url: z.url().nullable().openapi({
      description: "The page to send to people; whoever has it may look and comment. Null once it has ended.",
    }),
    verdict: verdictSchema
      .nullable()
      .openapi({ description: "The latest that a visitor gave; null for none." }),
    commentCount: z.int().openapi({ description: "Comments, replies and verdicts." }),
    message: z.string().openapi({ description: "Your words to visitors; empty for none." }),
    dueAt: timestampSchema
      .nullable()
      .openapi({ description: "Until when you ask for an answer; null for none." }),
    isClean: z.boolean().openapi({
      description: "Whether visitors see the delivered stills in place of pictures with a watermark.",
    }),
    createdAt: timestampSchema,
    expiresAt: timestampSchema,
    revokedAt: timestampSchema.nullable(),
  })
  .openapi("Share", {
    example: {
      shareId: "0199f0c9-1a2b-7c3d-8e4f-506172839405",
      artifactId: "0199f0c8-1c2a-7d10-8a55-6f0c3b9e2d14",
      name: "Spring, first round",
      status: "open",
      url: PAGE_EXAMPLE,
      verdict: null,
      commentCount: 0,
      message: "Please have a look at the new claim.",
      dueAt: "2026-06-25T12:00:00.000Z",
      isClean: false,
      createdAt: "2026-06-18T12:00:00.000Z",
      expiresAt: "2026-07-18T12:00:04.000Z",
      revokedAt: null,
    },
  });
export const shareListSchema = z.object({ items: z.array(shareSchema) }).openapi("ShareList");

const shareMessage = textOf(LIMITS.commentCharactersMax, "Please have a look at the new claim.");
const isClean = z.boolean().openapi({
  description: "Shows visitors the delivered stills in place of pictures with a watermark.",
  example: true,
});
const dueAt = z.iso.datetime({ offset: true }).openapi({
  description: "Until when you ask for an answer, which visitors see. The link stays open after it.",
  example: "2099-01-01T00:00:00Z",
});

export const createShareBody = strictBody({
  name: nameOf(LIMITS.shareNameCharactersMax, "Spring, first round").optional(),
  message: shareMessage
    .optional()
    .openapi({ description: "Your words to visitors, at the head of the page." }),
  dueAt: dueAt.optional(),
  isClean: isClean.default(false),
  expiresAt: z.iso.datetime({ offset: true }).optional().openapi({
    description: "When the link ends; with the pack's files at the latest, and then when it is absent.",
    example: "2099-01-01T00:00:00Z",
  }),
}).openapi("CreateShare");

export const updateShareBody = strictBody({
  message: shareMessage.optional().openapi({ description: "An empty text removes it." }),
  dueAt: dueAt.nullable().optional(),
  isClean: isClean.optional(),
}).openapi("UpdateShare", {
  description: "What changes of a link; members that are absent stay as they are.",
  example: { isClean: true },
});

export const mailShareBody = strictBody({
  email: emailSchema,
  language: languageSchema,
  message: textOf(LIMITS.commentCharactersMax, "Is this good to go?").optional(),
}).openapi("MailShare", {
  example: { email: "grace@packs.example", language: "en", message: "Is this good to go?" },
});

export const mailedShareSchema = z
  .object({ email: z.string() })
  .openapi("MailedShare", { example: { email: "grace@packs.example" } });

/** What a visitor sees: the pack's pictures, and who asks for approval. */
export const sharedPackSchema = z
  .object({
    name: z.string().openapi({ description: "Of the link; empty where none was given." }),
    brand: z.object({
      name: z.string().openapi({ description: "Of the pack's brand; without one, of the workspace." }),
      logoUrl: z.url().nullable().openapi({ description: "The brand's logo; null for none." }),
    }),
    senderName: z.string().nullable().openapi({
      description: "Who made the link in the Studio; null for a link made with an API key.",
    }),
    message: z.string().openapi({ description: "The sender's words; empty for none." }),
    dueAt: timestampSchema
      .nullable()
      .openapi({ description: "Until when an answer is asked for; null for none." }),
    isClean: z.boolean().openapi({ description: "Whether pictures are the delivered files." }),
    contractId: z.string(),
    motion: motionSchema,
    verdict: verdictSchema
      .nullable()
      .openapi({ description: "The latest that a visitor gave; null for none." }),
    createdAt: timestampSchema,
    expiresAt: timestampSchema,
    files: z
      .array(
        z.object({
          fileId: uuidSchema,
          sizeId: z.string(),
          width: z.int().openapi({ description: "Of the file, in pixels." }),
          height: z.int().openapi({ description: "Of the file, in pixels." }),
          isAnimated: z.boolean().openapi({ description: "The file moves; its still is shown." }),
          image: z.object({
            url: z.url().openapi({
              description: "A PNG with a watermark, at most 1080 pixels a side, or the delivered still.",
            }),
            width: z.int(),
            height: z.int(),
          }),
        }),
      )
      .openapi({ description: "One of each size, in the order of the pack." }),
    comments: z
      .array(shareCommentSchema)
      .openapi({ description: "Of all visitors of the link, oldest first." }),
  })
  .openapi("SharedPack", {
    example: {
      name: "Spring, first round",
      brand: { name: "Acme", logoUrl: null },
      senderName: "Ada Lovelace",
      message: "Please have a look at the new claim.",
      dueAt: "2026-06-25T12:00:00.000Z",
      isClean: false,
      contractId: "display.v1",
      motion: "static",
      verdict: "changes-requested",
      createdAt: "2026-06-18T12:00:00.000Z",
      expiresAt: "2026-07-18T12:00:04.000Z",
      files: [
        {
          fileId: "0199f0c7-c0de-7aa1-9d3e-41b2f5a60c77",
          sizeId: "iab-300x250",
          width: 300,
          height: 250,
          isAnimated: false,
          image: {
            url: `https://packs.example/api/v1/shared/${TOKEN}/files/0199f0c7-c0de-7aa1-9d3e-41b2f5a60c77`,
            width: 300,
            height: 250,
          },
        },
      ],
      comments: [COMMENT_EXAMPLE],
    },
  });

const commentText = textOf(LIMITS.commentCharactersMax, COMMENT_EXAMPLE.text);

export const createShareCommentBody = strictBody({
  name: nameOf(LIMITS.visitorNameCharactersMax, "Grace"),
  text: commentText.optional().openapi({ description: "Plain text; needed where there is no verdict." }),
  verdict: verdictSchema.optional().openapi({ description: "On the whole pack. The latest counts." }),
  fileVerdicts: z
    .array(fileVerdictSchema)
    .max(LIMITS.sizesPerJobMax)
    .optional()
    .openapi({ description: "On single sizes, beside `verdict`: each file once." }),
  fileId: uuidSchema.optional().openapi({ description: "The file that it is about." }),
  pin: pinSchema.optional(),
  replyTo: uuidSchema.optional().openapi({ description: "The comment that it answers, itself no reply." }),
})
  .superRefine(({ text, verdict, fileVerdicts = [], fileId, pin, replyTo }, context) => {
    const refuse = (member: string, message: string) =>
      context.addIssue({ code: "custom", path: [member], message });
    if (verdict === undefined && (text === undefined || text === "")) {
      refuse("text", "is needed where there is no verdict");
    }
    if (pin !== undefined && fileId === undefined) refuse("fileId", "is needed where there is a pin");
    if (replyTo !== undefined && (verdict ?? fileId) !== undefined) {
      refuse("replyTo", "stands alone: a reply has no verdict and no file");
    }
    if (fileVerdicts.length === 0) return;
    if (new Set(fileVerdicts.map((one) => one.fileId)).size < fileVerdicts.length) {
      refuse("fileVerdicts", "must name each file once");
    }
    const hasChanges = fileVerdicts.some((one) => one.verdict === "changes-requested");
    if (verdict === undefined || (verdict === "approved" && hasChanges)) {
      refuse("verdict", "must be `changes-requested` where one size's is, and be given with those of sizes");
    }
  })
  .openapi("CreateShareComment", {
    example: { name: "Grace", text: "Good to go.", verdict: "approved" },
  });

export type CreateShareComment = z.infer<typeof createShareCommentBody>;

export const createShareReplyBody = strictBody({
  text: textOf(LIMITS.commentCharactersMax, "Done, have a look.")
    .refine((text) => text !== "", "is needed")
    .openapi({ description: "Plain text with line breaks." }),
  replyTo: uuidSchema.optional().openapi({ description: "The comment that it answers, itself no reply." }),
}).openapi("CreateShareReply", { description: "A member's words to visitors." });

const isResolved = z
  .boolean()
  .openapi({ description: "True once it is done; false reopens it.", example: true });
export const resolveCommentBody = strictBody({ isResolved }).openapi("ResolveShareComment", {
  description: "Whether a comment is done.",
});
export const resolveOwnCommentBody = strictBody({
  isResolved,
  commentToken: z
    .string()
    .max(512)
    .openapi({ description: "As given when the comment was made.", example: TOKEN }),
}).openapi("ResolveOwnShareComment", { description: "Whether a visitor's own comment is done." });

/** The signed part of a link's address. */
export const shareTokenParams = {
  token: z.string().openapi({ description: "The last part of the page's address.", example: TOKEN }),
};
