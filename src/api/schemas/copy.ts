import { z } from "@hono/zod-openapi";
import { LIMITS } from "../limits.ts";
import { each } from "./primitives.ts";
import { strictBody } from "./strict-body.ts";

/** The words of a pack, and how each is checked. */

/** Control characters and halves of surrogate pairs: nothing that can be set in type. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/** A digit of any script. */
const DIGIT = /\p{Nd}/u;

/** Blanks, and what fonts draw nothing for: joiners, soft hyphens, marks of direction, fillers. */
const DRAWS_NOTHING = /^[\p{Z}\p{Cf}\p{Default_Ignorable_Code_Point}]+$/u;

/**
 * Text of at most so many Unicode characters; white space at its ends and runs of it inside are not kept, and text of which
 * nothing would be seen is empty.
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

/** An empty one is none, as with every text. */
const priceText = (example: string) =>
  text(LIMITS.copyPriceCharactersMax)
    .refine((given) => given === "" || DIGIT.test(given), `must contain a digit, as \`${example}\``)
    .optional()
    .openapi({ type: "string", maxLength: LIMITS.copyPriceCharactersMax, example });

/**
 * The tag in its canonical form (RFC 5646 §4.5: `PT-br` is `pt-BR`), or null for none. Languages of four letters and more
 * are left to the future by RFC 5646 §2.2.1: what is given as one is a name, such as `german`.
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
    context.addIssue({ code: "custom", message: "must be a language tag of BCP 47, as `de` or `pt-BR`" });
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

/** The words as a job shows them: those that say something. */
export const shownCopySchema = z.object(each(copySchema.keyof().options, () => z.string().optional()));

type CopyMembers = z.infer<typeof copySchema>;

const hasStrayOldPrice = ({ price, oldPrice }: CopyMembers): boolean =>
  (oldPrice ?? "") !== "" && (price ?? "") === "";

/** The least of a body that prices are checked in. */
interface PricedBody {
  readonly copy?: CopyMembers | undefined;
  readonly overrides?: Readonly<Record<string, { readonly copy?: CopyMembers | undefined }>> | undefined;
}

const PRICE_MISSING = "needs a `price` beside it; leave both out where there is none";

/** An old price stands beside a price, in the pack and in each size that has words of its own. */
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
