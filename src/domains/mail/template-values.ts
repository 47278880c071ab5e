import type { z } from "zod";
import type { MailKind, MailLanguage } from "#api/mail-rules.ts";
import type { TemplateValues } from "./fill-template.ts";
import { asName, MAIL_FACTS } from "./mail-contents.ts";
import type { Phrases, VariantId } from "./templates.ts";

/** The template values of each kind of mail. */

/** A failed pack, with the total number of failed packs. */
export interface FailedPack {
  readonly headline: string | null;
  readonly contractId: string;
  readonly count: number;
  readonly credits: number;
}

export interface ValueSources {
  readonly language: MailLanguage;
  readonly phrases: Phrases;
  /** The mail's link with a token; null when it has none. */
  readonly link: string | null;
  /** Origin of links without a token. */
  readonly origin: string;
  readonly expiresAtMs: number;
  readonly readFailedPacks: (span: {
    readonly workspaceId: string;
    readonly fromMs: number;
    readonly toMs: number;
  }) => Promise<readonly FailedPack[]>;
}

export interface Filled {
  readonly variant: VariantId;
  readonly values: TemplateValues;
}

/** Returns the values; null when the facts do not match the kind, or the link or the failed packs are missing. */
type Fill = (facts: unknown, sources: ValueSources) => Promise<Filled | null>;

const fillBy =
  <Facts>(
    schema: z.ZodType<Facts>,
    fill: (facts: Facts, sources: ValueSources) => Filled | null | Promise<Filled | null>,
  ): Fill =>
  async (facts, sources) => {
    const parsed = schema.safeParse(facts);
    return parsed.success ? fill(parsed.data, sources) : null;
  };

/** Fills a template whose link contains a token. */
const withLink = (
  variant: VariantId,
  values: TemplateValues,
  { link, language, expiresAtMs }: ValueSources,
): Filled | null =>
  link === null ? null : { variant, values: { ...values, link, until: formatMoment(language, expiresAtMs) } };

const billingPage = ({ origin }: ValueSources, workspaceId: string): string =>
  `${origin}/w/${workspaceId}/billing`;

/** The names of the packs, and the number of packs that are not named. */
const namesOf = (packs: readonly FailedPack[], { language, phrases }: ValueSources): readonly string[] => {
  const names = packs.map(({ headline, contractId }) => asName(headline ?? "") || contractId);
  const moreCount = (packs[0]?.count ?? 0) - packs.length;
  return moreCount > 0
    ? [...names, phrases.more.replace("{{count}}", formatCount(language, moreCount))]
    : names;
};

export const VALUES: Readonly<Record<MailKind, Fill>> = {
  "confirm-address": fillBy(MAIL_FACTS["confirm-address"], (facts, sources) =>
    withLink("confirm-address", facts, sources),
  ),
  "reset-password": fillBy(MAIL_FACTS["reset-password"], (facts, sources) =>
    withLink("reset-password", facts, sources),
  ),
  invitation: fillBy(MAIL_FACTS.invitation, (facts, sources) => withLink("invitation", facts, sources)),
  "new-device": fillBy(MAIL_FACTS["new-device"], ({ name, atMs }, { language, origin }) => ({
    variant: "new-device",
    values: { name, moment: formatMoment(language, atMs), link: `${origin}/forgot-password` },
  })),
  "address-changed": fillBy(MAIL_FACTS["address-changed"], (facts) => ({
    variant: "address-changed",
    values: facts,
  })),
  "balance-low": fillBy(
    MAIL_FACTS["balance-low"],
    ({ workspaceId, available, lowBalanceBelow }, sources) => ({
      variant: "balance-low",
      values: {
        credits: formatCredits(sources.language, sources.phrases, available),
        mark: formatCredits(sources.language, sources.phrases, lowBalanceBelow),
        link: billingPage(sources, workspaceId),
      },
    }),
  ),
  "top-up-failed": fillBy(MAIL_FACTS["top-up-failed"], ({ workspaceId, credits, reason }, sources) => {
    const { declines } = sources.phrases;
    return {
      variant: "top-up-failed",
      values: {
        credits: formatCredits(sources.language, sources.phrases, credits),
        reason: Object.hasOwn(declines, reason) ? (declines[reason] ?? declines.other) : declines.other,
        link: billingPage(sources, workspaceId),
      },
    };
  }),
  "packs-failed": fillBy(MAIL_FACTS["packs-failed"], async (span, sources) => {
    const packs = await sources.readFailedPacks(span);
    const [first] = packs;
    // The failed packs existed when the mail was written, and do not change.
    if (first === undefined) return null;
    const { language, phrases, origin } = sources;
    return {
      variant: first.count === 1 ? "packs-failed.one" : "packs-failed.other",
      values: {
        count: formatCount(language, first.count),
        credits: formatCredits(language, phrases, first.credits),
        packs: namesOf(packs, sources),
        moment: formatMoment(language, span.toMs),
        link: `${origin}/w/${span.workspaceId}/packs`,
      },
    };
  }),
  receipt: fillBy(MAIL_FACTS.receipt, (facts, sources) => {
    const { language, phrases } = sources;
    return {
      variant: `receipt.${facts.kind}`,
      values: {
        amount: formatAmount(language, facts.amount, facts.currency),
        credits: formatCredits(language, phrases, facts.credits),
        paidAt: formatMoment(language, facts.paidAtMs),
        paymentId: facts.paymentId,
        link: facts.receiptUrl ?? billingPage(sources, facts.workspaceId),
      },
    };
  }),
  "approval-asked": fillBy(MAIL_FACTS["approval-asked"], ({ packName, senderName, message }, sources) => {
    const variant = message === null || message === "" ? "approval-asked" : "approval-asked.message";
    return withLink(variant, { packName, senderName, message: (message ?? "").split("\n") }, sources);
  }),
  "approval-given": fillBy(
    MAIL_FACTS["approval-given"],
    ({ workspaceId, artifactId, shareName, visitorName, verdict, sizes }, { origin, phrases }) => ({
      variant: sizes.length === 0 ? `approval-given.${verdict}` : "approval-given.changes-requested.sizes",
      values: {
        sizes,
        shareName: shareName || phrases.unnamedPack,
        visitorName,
        link: `${origin}/w/${workspaceId}/packs/${artifactId}`,
      },
    }),
  ),
};

/** Numbers, times and amounts in the mail's language. */

const LOCALES: Readonly<Record<MailLanguage, string>> = { en: "en-GB", de: "de-DE" };

/** A time in UTC, because the recipient's time zone is unknown. */
const formatMoment = (language: MailLanguage, timeMs: number): string =>
  `${new Intl.DateTimeFormat(LOCALES[language], {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  }).format(timeMs)} UTC`;

/** Currencies whose amounts Stripe expresses in whole units: https://docs.stripe.com/currencies#zero-decimal */
const WITHOUT_DECIMALS: ReadonlySet<string> = new Set(
  "BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" "),
);
/** Currencies whose amounts Stripe expresses in thousandths: https://docs.stripe.com/currencies#three-decimal */
const WITH_THREE_DECIMALS: ReadonlySet<string> = new Set("BHD JOD KWD OMR TND".split(" "));

/** Formats an amount in Stripe's unit. */
function formatAmount(language: MailLanguage, amount: number, currencyCode: string): string {
  const currency = currencyCode.toUpperCase();
  const decimals = WITHOUT_DECIMALS.has(currency) ? 0 : WITH_THREE_DECIMALS.has(currency) ? 3 : 2;
  return new Intl.NumberFormat(LOCALES[language], { style: "currency", currency }).format(
    amount / 10 ** decimals,
  );
}

const formatCount = (language: MailLanguage, count: number): string =>
  new Intl.NumberFormat(LOCALES[language]).format(count);

/** A number of credits with its noun. */
const formatCredits = (language: MailLanguage, phrases: Phrases, credits: number): string =>
  (credits === 1 ? phrases.creditOne : phrases.creditOther).replace(
    "{{count}}",
    formatCount(language, credits),
  );
