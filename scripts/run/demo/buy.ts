import { randomUUID } from "node:crypto";
import { Failure } from "../../local/failure.ts";
import type { Emulators } from "../emulators/start-emulators.ts";
import { formatBytes, type Step } from "./figures.ts";
import { makePack } from "./make-pack.ts";
import { openClient } from "./open-client.ts";
import { smallPack } from "./packs.ts";
import { signUpAndIn, until } from "./person.ts";

const OFFER_ID = "credits-100";

const PACK = smallPack("bought", "A pack from bought credits");

/** The members of a payment that the demo uses; docs/api.md describes all of them. */
interface PaidOffer {
  readonly offerId: string;
  readonly amount: number;
  readonly currency: string;
  readonly credits: number;
  readonly receiptUrl: string | null;
}

/** The token after `#` in an emailed link. */
function tokenIn(text: string | null): string {
  const token = /\/confirm-email#([A-Za-z0-9_.~-]+)/.exec(text ?? "")?.[1];
  if (token === undefined) throw new Failure("The mail has no link that confirms the address.");
  return token;
}

/** Plays a new customer who confirms the address, buys credits, makes a pack and reads the receipt. */
export async function playPurchase(
  origin: string,
  emulators: Emulators,
  outputFolder: string,
  step: Step,
): Promise<void> {
  const { ask, email, newKey, workspaceId } = await step("Sign-up and sign-in", () => signUpAndIn(origin));
  const inWorkspace = `/api/account/workspaces/${workspaceId}`;
  const confirming = await step("Mail that confirms the address", () =>
    emulators.waitForMail(email, ({ text }) => text?.includes("/confirm-email#") === true),
  );
  await step("Address confirmed by its link", () =>
    ask("POST", "/api/account/email/confirm", { token: tokenIn(confirming.text) }),
  );
  const { url } = await step("Checkout of 100 credits", () =>
    ask<{ url: string }>(
      "POST",
      `${inWorkspace}/billing/checkout`,
      { offerId: OFFER_ID },
      { "Idempotency-Key": randomUUID() },
    ),
  );
  await step("Paid at the simulated Stripe", () => emulators.pay(url));
  // Only the webhook grants credits; returning from the checkout page does not.
  const payment = await step("Webhook received, credits granted", () =>
    until("The payment", async () => {
      const { items } = await ask<{ items: PaidOffer[] }>("GET", `${inWorkspace}/billing/payments`);
      return items[0] ?? null;
    }),
  );
  const client = openClient(origin, await newKey());
  const before = (await client.balance.get()).credits.available;
  if (before !== payment.credits) {
    throw new Failure(`${payment.credits} credits were bought, and the balance is ${before}.`);
  }
  const { artifact, zipBytes } = await step("A pack ordered and downloaded", () =>
    makePack(client, PACK, outputFolder),
  );
  const after = (await client.balance.get()).credits.available;
  const receipt = await step("Mail with the receipt", () =>
    emulators.waitForMail(email, ({ subject }) => subject.startsWith("Receipt for ")),
  );
  const price = new Intl.NumberFormat("en", { style: "currency", currency: payment.currency });
  console.log(
    `\n  ${payment.credits} credits for ${price.format(payment.amount / 100)}: balance ${before} before the pack, ${after} after.` +
      `\n  ${artifact.files.length} files and a ZIP of ${formatBytes(zipBytes)} in demo-output/${PACK.name}.` +
      `\n  Mail to ${email}: “${confirming.subject}”, “${receipt.subject}”.` +
      "\n  No money moved and no mail left this machine. `npm run dev` simulates both too, with pages.",
  );
}
