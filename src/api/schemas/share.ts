import { z } from "@hono/zod-openapi";
import { LIMITS } from "../limits.ts";
import { emailSchema, languageSchema } from "./account.ts";
import { motionSchema } from "./catalogue.ts";
import { nameOf, timestampSchema, uuidSchema } from "./primitives.ts";
import { strictBody } from "./strict-body.ts";

/** Share links, by which people without an account review a pack, and their comments. */

const verdictSchema = z.enum(["approved", "changes-requested"]);

const TOKEN = "3f9c1d2e.WyIwMTk5ZjBjOC4uLiJd.Zm9vYmFy";
const PAGE_EXAMPLE = `https://packs.example/review/${TOKEN}`;

/** Control characters, direction overrides and lone surrogates; line breaks are allowed. */
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
  description: "Point of the image, as fractions of its width and height from the top left corner.",
  example: { x: 0.82, y: 0.12 },
});

const fileVerdictSchema = z.object({
  fileId: uuidSchema,
  verdict: verdictSchema.openapi({ description: "Verdict on this file." }),
});

const comment = z.object({
  commentId: uuidSchema,
  name: z.string().openapi({
    description: "Name that the visitor entered, unverified. For a member: the account or workspace.",
  }),
  text: z.string().openapi({ description: "Plain text with line breaks; empty if there is only a verdict." }),
  verdict: verdictSchema.nullable().openapi({ description: "Verdict on the whole pack; null for none." }),
  fileVerdicts: z
    .array(fileVerdictSchema)
    .openapi({ description: "Verdicts on single sizes, given with the verdict on the pack." }),
  fileId: uuidSchema
    .nullable()
    .openapi({ description: "File that the comment is about; null for the whole pack." }),
  pin: pinSchema
    .nullable()
    .openapi({ description: "Point of the file that the comment is about; null for no point." }),
  replyTo: uuidSchema.nullable().openapi({ description: "Comment that this one replies to; null for none." }),
  isMember: z.boolean().openapi({ description: "Whether a member of the workspace wrote it." }),
  resolvedAt: timestampSchema
    .nullable()
    .openapi({ description: "When it was resolved, UTC; null while it is open." }),
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
/** A visitor's new comment, with a token by which the visitor can resolve it. */
export const ownShareCommentSchema = comment
  .extend({
    commentToken: z
      .string()
      .openapi({ description: "Token that resolves and reopens this comment; returned only here." }),
  })
  .openapi("OwnShareComment", { example: { ...COMMENT_EXAMPLE, commentToken: TOKEN } });
export const shareCommentListSchema = z
  .object({ items: z.array(shareCommentSchema) })
  .openapi("ShareCommentList", { example: { items: [COMMENT_EXAMPLE] } });

export const shareSchema = z
  .object({
    ...{ shareId: uuidSchema, artifactId: uuidSchema },
    name: z.string().openapi({ description: "Name of the link; empty if it has none." }),
    status: z.enum(["open", "expired", "revoked"]),
    url: z.url().nullable().openapi({
      description:
        "URL of the review page. Anyone with it may view and comment. Null once the link has expired or was revoked.",
    }),
    verdict: verdictSchema.nullable().openapi({ description: "Latest verdict of a visitor; null for none." }),
    commentCount: z.int().openapi({ description: "Number of comments, replies and verdicts." }),
    message: z.string().openapi({ description: "Your message to visitors; empty for none." }),
    dueAt: timestampSchema
      .nullable()
      .openapi({ description: "Date by which you ask for an answer, UTC; null for none." }),
    isClean: z.boolean().openapi({
      description: "Whether visitors see the final stills instead of watermarked images.",
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
  description: "Shows visitors the final stills instead of watermarked images.",
  example: true,
});
const dueAt = z.iso.datetime({ offset: true }).openapi({
  description: "Date by which you ask visitors for an answer. The link stays open after it.",
  example: "2099-01-01T00:00:00Z",
});

export const createShareBody = strictBody({
  name: nameOf(LIMITS.shareNameCharactersMax, "Spring, first round").optional(),
  message: shareMessage
    .optional()
    .openapi({ description: "Your message to visitors, at the top of the page." }),
  dueAt: dueAt.optional(),
  isClean: isClean.default(false),
  expiresAt: z.iso.datetime({ offset: true }).optional().openapi({
    description: "Expiry of the link. Default and maximum: the expiry of the pack's files.",
    example: "2099-01-01T00:00:00Z",
  }),
}).openapi("CreateShare");

export const updateShareBody = strictBody({
  message: shareMessage.optional().openapi({
    description: "Your message to visitors, at the top of the page. An empty string removes it.",
  }),
  dueAt: dueAt.nullable().optional(),
  isClean: isClean.optional(),
}).openapi("UpdateShare", {
  description: "Changes to a share link. Absent members stay as they are.",
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

/** The pack as visitors see it: its images, its sender, and the approval so far. */
export const sharedPackSchema = z
  .object({
    name: z.string().openapi({ description: "Name of the link; empty if it has none." }),
    brand: z.object({
      name: z
        .string()
        .openapi({ description: "Name of the pack's brand, or of the workspace if it has none." }),
      logoUrl: z.url().nullable().openapi({ description: "URL of the brand's logo; null for none." }),
    }),
    senderName: z.string().nullable().openapi({
      description: "Name of the person who created the link in the Studio; null if an API key did.",
    }),
    message: z.string().openapi({ description: "The sender's message; empty for none." }),
    dueAt: timestampSchema
      .nullable()
      .openapi({ description: "Date by which an answer is asked for, UTC; null for none." }),
    isClean: z.boolean().openapi({ description: "Whether the images are the final files." }),
    contractId: z.string(),
    motion: motionSchema,
    verdict: verdictSchema.nullable().openapi({ description: "Latest verdict of a visitor; null for none." }),
    createdAt: timestampSchema,
    expiresAt: timestampSchema,
    files: z
      .array(
        z.object({
          fileId: uuidSchema,
          sizeId: z.string(),
          width: z.int().openapi({ description: "Width of the file in pixels." }),
          height: z.int().openapi({ description: "Height of the file in pixels." }),
          isAnimated: z
            .boolean()
            .openapi({ description: "Whether the file is animated. Its still is shown." }),
          image: z.object({
            url: z.url().openapi({
              description: "URL of a watermarked PNG of at most 1080 pixels a side, or of the final still.",
            }),
            width: z.int(),
            height: z.int(),
          }),
        }),
      )
      .openapi({ description: "One file per size, in the order of the pack." }),
    comments: z
      .array(shareCommentSchema)
      .openapi({ description: "Comments of all visitors of the link, oldest first." }),
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
  text: commentText.optional().openapi({ description: "Plain text. Required without a verdict." }),
  verdict: verdictSchema.optional().openapi({ description: "Verdict on the whole pack. The latest counts." }),
  fileVerdicts: z
    .array(fileVerdictSchema)
    .max(LIMITS.sizesPerJobMax)
    .optional()
    .openapi({ description: "Verdicts on single sizes, in addition to `verdict`; one per file." }),
  fileId: uuidSchema.optional().openapi({ description: "File that the comment is about." }),
  pin: pinSchema.optional(),
  replyTo: uuidSchema.optional().openapi({ description: "Comment to reply to; not itself a reply." }),
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
  replyTo: uuidSchema.optional().openapi({ description: "Comment to reply to; not itself a reply." }),
}).openapi("CreateShareReply", { description: "A member's message to visitors." });

const isResolved = z
  .boolean()
  .openapi({ description: "`true` resolves the comment, `false` reopens it.", example: true });
export const resolveCommentBody = strictBody({ isResolved }).openapi("ResolveShareComment", {
  description: "New state of a comment.",
});
export const resolveOwnCommentBody = strictBody({
  isResolved,
  commentToken: z
    .string()
    .max(512)
    .openapi({ description: "Token from the response that created the comment.", example: TOKEN }),
}).openapi("ResolveOwnShareComment", { description: "New state of a visitor's own comment." });

/** The signed part of a share link. */
export const shareTokenParams = {
  token: z
    .string()
    .openapi({ description: "Token of the share link: the last part of its URL.", example: TOKEN }),
};
