import { z } from "@hono/zod-openapi";
import { LIMITS } from "../limits.ts";

/** A UUID in any case (RFC 9562), transformed to lower case. */
export const uuidSchema = z.uuid().toLowerCase().openapi({ example: "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71" });
export const timestampSchema = z.iso.datetime().openapi({ example: "2026-06-18T12:00:00.000Z" });
export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * Characters that break a line, move a terminal's cursor or change the text direction, and lone surrogates. Names
 * appear in other people's lists and in operators' terminals.
 */
const UNSHOWN = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** A visible character: not white space, control, format or private use, and not without a glyph. */
const SHOWN = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2800]/u;

/** Whether text has a visible character. */
export const isVisible = (text: string): boolean => SHOWN.test(text);

/** A name: one line of text, trimmed. */
export const nameOf = (charactersMax: number, example: string) =>
  z
    .string()
    .trim()
    .min(1)
    .max(charactersMax)
    .refine((name) => !UNSHOWN.test(name), "must be one line of text without control characters")
    .refine((name) => name === "" || isVisible(name), "must have a character that can be seen")
    .openapi({ example });

const LIMIT_WORDS = `must be a whole number from 1 to ${LIMITS.pageSizeMax}, in digits`;

/** Rejects other notations of a number (`0x10`, `1e1`, `+1`, ` 1`, `01`), which are more likely mistakes. */
const isLimit = (text: string): boolean => /^[1-9]\d*$/.test(text) && Number(text) <= LIMITS.pageSizeMax;

export const limitQuery = z
  .string(LIMIT_WORDS)
  .refine(isLimit, LIMIT_WORDS)
  .transform(Number)
  .default(LIMITS.pageSizeDefault)
  .openapi({
    type: "integer",
    minimum: 1,
    maximum: LIMITS.pageSizeMax,
    default: LIMITS.pageSizeDefault,
    description: "Maximum number of items on the page.",
    example: LIMITS.pageSizeDefault,
  });

/** A time as cursor: returns items created before it. */
const beforeTimeQuery = z.iso
  .datetime({ offset: true })
  .optional()
  .openapi({ description: "`nextBefore` of the previous page.", example: "2026-06-18T12:00:00.000Z" });

/** Query parameters of a list that is ordered by time. */
export const pageByTimeQuery = { limit: limitQuery, before: beforeTimeQuery };

/** Creates an object with a new value for each name. */
export const each = <Name extends string, T>(names: readonly Name[], make: () => T) =>
  Object.fromEntries(names.map((name) => [name, make()])) as Record<Name, T>;

/** A page of a list, newest first. `nextBefore` is null on the last page. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item),
    nextBefore: z.string().nullable().openapi({
      description: "Cursor of the next page, for `before`; null on the last page.",
      example: null,
    }),
  });
