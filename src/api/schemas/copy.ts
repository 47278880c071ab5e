import { z } from "@hono/zod-openapi";
import { LIMITS } from "../limits.ts";
import { each } from "./primitives.ts";
import { strictBody } from "./strict-body.ts";

/** The text of a pack and its validation. */

/** Control characters and lone surrogates, which cannot be typeset. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/** A digit of any script. */
const DIGIT = /\p{Nd}/u;

/** Blanks and characters without a glyph: joiners, soft hyphens, direction marks, fillers. */
const DRAWS_NOTHING = /^[\p{Z}\p{Cf}\p{Default_Ignorable_Code_Point}]+$/u;

/**
 * Text with a maximum number of Unicode characters. White space is collapsed; text without visible characters is empty.
 */
const text = (charactersMax: number) =>
  z
    .string()
    .transform((given) => given.trim().replace(/[\t\n\r ]+/g, " "))
    .transform((given) => (DRAWS_NOTHING.test(given) ? "" : given))
    .refine((given) => [...given].length <= charactersMax, `must be at most ${charactersMax} characters`)
    .refine((given) => !UNPRINTABLE.test(given), "must not contain control characters");

const copyText = (charactersMax: number, example: string) =>
  text(charactersMax).optional().openapi({ type: "string", maxLength: charactersMax, example });

/** A price, or an empty string for none. */
const priceText = (example: string) =>
  text(LIMITS.copyPriceCharactersMax)
    .refine((given) => given === "" || DIGIT.test(given), `must contain a digit, as \`${example}\``)
    .optional()
    .openapi({ type: "string", maxLength: LIMITS.copyPriceCharactersMax, example });

/**
 * The canonical form of a tag (RFC 5646 §4.5: `PT-br` is `pt-BR`), or null if it is invalid. Language subtags of four
 * or more letters are reserved or unregistered (RFC 5646 §2.2.1); here they are names such as `german`.
 */
function canonicalLanguage(tag: string): string | null {
  if (tag.length > LIMITS.languageTagCharactersMax || /^[a-z]{4}/i.test(tag)) return null;
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}

const languageTag = z
  .string()
  .transform((given, context) => {
    const tag = given.trim();
    const language = tag === "" ? "" : canonicalLanguage(tag);
    if (language !== null) return language;
    context.addIssue({ code: "custom", message: "must be a BCP 47 language tag such as `de` or `pt-BR`" });
    return z.NEVER;
  })
  .optional()
  .openapi({ type: "string", maxLength: LIMITS.languageTagCharactersMax, example: "en-GB" });

export const copySchema = strictBody({
  headline: copyText(LIMITS.copyHeadlineCharactersMax, "Two wheels, no excuses"),
  subheadline: copyText(LIMITS.copySubheadlineCharactersMax, "The city bike that folds in six seconds"),
  cta: copyText(LIMITS.copyCtaCharactersMax, "Ride one today"),
  disclaimer: copyText(LIMITS.copyDisclaimerCharactersMax, "While stocks last."),
  price: priceText("899 €"),
  oldPrice: priceText("1,199 €"),
  badge: copyText(LIMITS.copyBadgeCharactersMax, "−25 %"),
  language: languageTag,
}).openapi("Copy");

/** Text as shown in a job: only members that are not empty. */
export const shownCopySchema = z.object(each(copySchema.keyof().options, () => z.string().optional()));

type CopyMembers = z.infer<typeof copySchema>;

const hasStrayOldPrice = ({ price, oldPrice }: CopyMembers): boolean =>
  (oldPrice ?? "") !== "" && (price ?? "") === "";

/** The part of a body that `checkOldPrices` reads. */
interface PricedBody {
  readonly copy?: CopyMembers | undefined;
  readonly overrides?: Readonly<Record<string, { readonly copy?: CopyMembers | undefined }>> | undefined;
}

const PRICE_MISSING = "needs a `price` beside it; leave both out where there is none";

/** Requires a price next to each old price, in the pack and in each size with its own text. */
export function checkOldPrices(body: PricedBody, context: z.RefinementCtx): void {
  const { copy = {}, overrides = {} } = body;
  if (hasStrayOldPrice(copy)) {
    context.addIssue({ code: "custom", path: ["copy", "oldPrice"], message: PRICE_MISSING });
    return;
  }
  for (const [sizeId, override] of Object.entries(overrides)) {
    if (!hasStrayOldPrice({ ...copy, ...override.copy })) continue;
    const path = ["overrides", sizeId, "copy", "oldPrice"];
    context.addIssue({ code: "custom", path, message: PRICE_MISSING });
  }
}
