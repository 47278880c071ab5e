import { z } from "@hono/zod-openapi";
import { ERRORS, type ErrorCode } from "../errors.ts";
import { LIMITS } from "../limits.ts";
import { API_VERSION } from "../version.ts";
import { errorDetailsSchema } from "./error-details.ts";

/** The success and error envelopes (API §2.3, §7.1). */

/** Printable ASCII; a caller's own id is returned unchanged. */
const requestIdSchema = z
  .string()
  .min(1)
  .max(LIMITS.requestIdCharactersMax)
  .openapi({ example: "0199f0c9-0a2b-7c44-8f10-5d6e7f809a1b" });

const metaSchema = z
  .object({
    apiVersion: z.literal(API_VERSION),
    requestId: requestIdSchema,
  })
  .openapi("Meta");

/** Wraps a resource in the success envelope. */
export const successEnvelope = <T extends z.ZodType>(resource: T) =>
  z.object({ ok: z.literal(true), data: resource, meta: metaSchema });

const isErrorCode = (code: string): code is ErrorCode => code in ERRORS;
const ERROR_CODES = Object.keys(ERRORS).filter(isErrorCode);

export const errorEnvelope = z
  .object({
    ok: z.literal(false),
    error: z.object({
      code: z.enum(ERROR_CODES),
      message: z.string().min(1).openapi({ description: "What is wrong and how to fix it, for people." }),
      httpStatus: z.int().min(400).max(599),
      requestId: requestIdSchema,
      details: errorDetailsSchema,
    }),
    meta: metaSchema,
  })
  .openapi("ErrorEnvelope");

export type ErrorEnvelope = z.infer<typeof errorEnvelope>;
