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

const comment = z.object({
  commentId: uuidSchema,
  name: z.string().openapi({ description: "As the visitor gave it; nobody has checked it." }),
  text: z.string().openapi({ description: "Plain text with line breaks; empty beside a verdict alone." }),
  verdict: verdictSchema.nullable().openapi({ description: "On the whole pack; null for none." }),
  fileId: uuidSchema.nullable().openapi({ description: "The file that it is about; null for the pack." }),
  createdAt: timestampSchema,
});

const COMMENT_EXAMPLE = {
  commentId: "0199f0ca-2b3c-7d4e-8f50-617283940a1b",
  name: "Grace",
  text: "The logo may be larger in this one.",
  verdict: "changes-requested" as const,
  fileId: "0199f0c7-c0de-7aa1-9d3e-41b2f5a60c77",
  createdAt: "2026-06-19T09:30:00.000Z",
};

export const shareCommentSchema = comment.openapi("ShareComment", { example: COMMENT_EXAMPLE });
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
    commentCount: z.int().openapi({ description: "Comments and verdicts of visitors." }),
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
      createdAt: "2026-06-18T12:00:00.000Z",
      expiresAt: "2026-07-18T12:00:04.000Z",
      revokedAt: null,
    },
  });
export const shareListSchema = z.object({ items: z.array(shareSchema) }).openapi("ShareList");

export const createShareBody = strictBody({
  name: nameOf(LIMITS.shareNameCharactersMax, "Spring, first round").optional(),
  expiresAt: z.iso.datetime({ offset: true }).optional().openapi({
    description: "When the link ends; with the pack's files at the latest, and then when it is absent.",
    example: "2099-01-01T00:00:00Z",
  }),
}).openapi("CreateShare");

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

/** What a visitor sees: no file of the pack itself, and nothing of its workspace. */
export const sharedPackSchema = z
  .object({
    name: z.string().openapi({ description: "Of the link; empty where none was given." }),
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
            url: z.url().openapi({ description: "A PNG with a watermark, at most 1080 pixels a side." }),
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
  fileId: uuidSchema.optional().openapi({ description: "The file that it is about." }),
})
  .superRefine(({ text, verdict }, context) => {
    if (verdict !== undefined || (text !== undefined && text !== "")) return;
    context.addIssue({ code: "custom", path: ["text"], message: "is needed where there is no verdict" });
  })
  .openapi("CreateShareComment", {
    example: { name: "Grace", text: "Good to go.", verdict: "approved" },
  });

export type CreateShareComment = z.infer<typeof createShareCommentBody>;

/** The signed part of a link's address. */
export const shareTokenParams = {
  token: z.string().openapi({ description: "The last part of the page's address.", example: TOKEN }),
};
