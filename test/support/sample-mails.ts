import type { MailKind } from "#api/mail-rules.ts";
import type { MailFacts } from "#domains/mail/mail-contents.ts";
import type { FailedPack } from "#domains/mail/template-values.ts";
import type { VariantId } from "#domains/mail/templates.ts";

/** A mail of each variant, as in the outbox. */

const WORKSPACE_ID = "0199c1f0-0000-7000-8000-000000000001";
const NOON_MS = Date.UTC(2026, 10, 2, 12);
const RECEIPT = {
  workspaceId: WORKSPACE_ID,
  paymentId: "pi_3Qx0",
  amount: 123_450,
  currency: "eur",
  credits: 1_500,
  paidAtMs: NOON_MS,
  receiptUrl: "https://pay.stripe.com/receipts/1?a=1&b=2",
};
const ASKED = { packName: "Sommer & Sonne", senderName: "Ada Lovelace" };
const GIVEN = {
  workspaceId: WORKSPACE_ID,
  artifactId: "0199c1f0-0000-7000-8000-000000000002",
  shareName: "Summer sale",
  visitorName: "Grace Hopper",
};
const SPAN = { workspaceId: WORKSPACE_ID, fromMs: NOON_MS - 3_600_000, toMs: NOON_MS };

export interface SampleMail {
  readonly kind: MailKind;
  readonly facts: unknown;
  readonly link: string | null;
  readonly failedPacks: readonly FailedPack[];
}

function sample<Kind extends MailKind>(
  kind: Kind,
  facts: MailFacts<Kind>,
  link: string | null = null,
  failedPacks: readonly FailedPack[] = [],
): SampleMail {
  return { kind, facts, link, failedPacks };
}

const failedPack = (count: number, headline: string | null): FailedPack => ({
  ...{ headline, contractId: "campaign.v1", count },
  credits: 12 * count,
});

export const SAMPLE_MAILS: Readonly<Record<VariantId, SampleMail>> = {
  "confirm-address": sample("confirm-address", { name: "Ada" }, "https://packs.example/confirm-email#token"),
  "new-device": sample("new-device", { name: "Ada", atMs: NOON_MS }),
  "reset-password": sample("reset-password", { name: "Ada" }, "https://packs.example/reset-password#token"),
  "address-changed": sample("address-changed", { name: "Ada", newAddress: "ada@lovelace.example" }),
  invitation: sample(
    "invitation",
    { workspaceName: "Acme Ads", inviterName: "Ada Lovelace" },
    "https://packs.example/invitation#cpi_token",
  ),
  "balance-low": sample("balance-low", { workspaceId: WORKSPACE_ID, available: 1, lowBalanceBelow: 50 }),
  "top-up-failed": sample("top-up-failed", {
    ...{ workspaceId: WORKSPACE_ID, offerId: "credits-500", credits: 500 },
    reason: "card_declined",
  }),
  "packs-failed.one": sample("packs-failed", SPAN, null, [failedPack(1, "Summer sale")]),
  "packs-failed.other": sample("packs-failed", SPAN, null, [
    failedPack(13, "Summer sale"),
    failedPack(13, null),
  ]),
  "receipt.credits": sample("receipt", { ...RECEIPT, kind: "credits" }),
  "receipt.top-up": sample("receipt", { ...RECEIPT, kind: "top-up" }),
  "receipt.plan": sample("receipt", { ...RECEIPT, kind: "plan", receiptUrl: null }),
  "approval-asked": sample(
    "approval-asked",
    { ...ASKED, message: null },
    "https://packs.example/review/token",
  ),
  "approval-asked.message": sample(
    "approval-asked",
    { ...ASKED, message: "Hi Grace,\nis the blue one <b>too</b> loud?" },
    "https://packs.example/review/token",
  ),
  "approval-given.approved": sample("approval-given", { ...GIVEN, verdict: "approved" }),
  "approval-given.changes-requested": sample("approval-given", { ...GIVEN, verdict: "changes-requested" }),
  "approval-given.changes-requested.sizes": sample("approval-given", {
    ...{ ...GIVEN, verdict: "changes-requested" },
    sizes: ["meta-story 1080 × 1920", "iab 300 × 250"],
  }),
};

export const SAMPLE_ORIGIN = "https://packs.example";
export const SAMPLE_EXPIRES_AT_MS = NOON_MS + 1_800_000;
