import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { insertOrder } from "#domains/billing/payments/payment-store.ts";
import { insertWorkspace, workspaceById } from "#domains/workspaces/store.ts";
import { newId } from "#platform/ids.ts";
import { type Emulators, startEmulators } from "../../scripts/emulators/start-emulators.ts";
import { confirmPayment, createPaymentIntent } from "../../scripts/emulators/stripe/payments.ts";
import type { Workplace } from "../../scripts/operator/commands.ts";
import { reconcileNow, reportReconciliation } from "../../scripts/operator/reconcile-command.ts";
import { type OpenWorkplace, openWorkplace } from "../support/operator-database.ts";

/** Guarantee: what the payment provider has and the database has not is named, changed by nothing but --apply, and then
 * applied once. */

let emulators: Emulators;
let opened: OpenWorkplace;
let workplace: Workplace;

beforeAll(async () => {
  emulators = await startEmulators({
    webhookUrl: null,
    webhookSecret: "whsec_nobody-listens",
    mailWebhookUrl: null,
    mailWebhookSecret: "whsec_bm9ib2R5",
  });
  // Later than whatever is paid in this test, by more than what is still under way.
  opened = await openWorkplace(Date.now() + 20 * 60_000);
  const envFile = join(opened.folder, "stripe");
  await writeFile(
    envFile,
    `STRIPE_SECRET_KEY=sk_test_local\nSTRIPE_API_URL=${emulators.stripeOrigin}\nBILLING_OFFERS='${emulators.offers}'\n`,
  );
  workplace = { ...opened.workplace, target: { ...opened.workplace.target, envFile } };
}, 60_000);

afterAll(async () => {
  await opened.close();
  await emulators.stop();
});

/** A payment at the provider of which the webhook has told nothing. */
async function payUnheard() {
  const { db, nowMs } = workplace;
  const [workspaceId, orderId] = [newId(), newId()];
  const order = { orderId, workspaceId, kind: "credits", offerId: "credits-100" } as const;
  await insertWorkspace.run(db, {
    workspaceId,
    name: "Unheard",
    kind: "standard",
    hasUnlimitedAccess: false,
    createdAt: nowMs,
    expiresAt: null,
    home: null,
  });
  await insertOrder.run(db, {
    ...order,
    currency: "eur",
    amount: 900,
    credits: 100,
    quota: null,
    createdAt: nowMs,
  });
  const intent = createPaymentIntent(emulators.book, {
    amount: 900,
    currency: "eur",
    customer: null,
    metadata: order,
    paymentMethod: "pm_local",
  });
  confirmPayment(emulators.book, intent, null, emulators.stripeOrigin);
  return { workspaceId, paymentId: intent.id };
}

const kindsOf = ({ differences }: Awaited<ReturnType<typeof reconcileNow>>) =>
  [...new Set(differences.map(({ kind }) => kind))].sort();

describe("npm run workspace -- reconcile", () => {
  it("names events and payments that are missing, and grants nothing", async () => {
    const { workspaceId, paymentId } = await payUnheard();
    const found = await reconcileNow(workplace, { days: 3, isApplying: false });
    expect(kindsOf(found)).toEqual(["event-missing", "payment-missing"]);
    expect(reportReconciliation(found)).toContain(paymentId);
    expect((await workspaceById.first(workplace.db, { workspaceId }))?.credits).toBe(0);
  });

  it("applies what is missing once where that is asked for, and then finds nothing", async () => {
    const { workspaceId, paymentId } = await payUnheard();
    emulators.refund(paymentId, 450);
    const applied = await reconcileNow(workplace, { days: 3, isApplying: true });
    expect(kindsOf(applied)).toContain("event-missing");
    const again = await reconcileNow(workplace, { days: 3, isApplying: true });
    expect(again.differences).toEqual([]);
    expect(again.paymentsCompared).toBe(2);
    expect((await workspaceById.first(workplace.db, { workspaceId }))?.credits).toBe(50);
  });

  it("names a payment of which another sum is stored", async () => {
    const { paymentId } = await payUnheard();
    await reconcileNow(workplace, { days: 3, isApplying: true });
    await workplace.db
      .prepare("UPDATE payments SET amount_refunded = 7 WHERE payment_id = ?1")
      .bind(paymentId)
      .run();
    const found = await reconcileNow(workplace, { days: 3, isApplying: false });
    expect(found.differences).toMatchObject([
      { kind: "refund-differs", paymentId, atProvider: 0, stored: 7 },
    ]);
  });
});
