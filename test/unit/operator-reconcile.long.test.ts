import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { insertOrder } from "#domains/billing/payments/payment-store.ts";
import { insertWorkspace, workspaceById } from "#domains/workspaces/store.ts";
import { newId } from "#platform/ids.ts";
import type { OperatorDatabase } from "../../scripts/operate/workspace/operator-database.ts";
import { reconcileNow, reportReconciliation } from "../../scripts/operate/workspace/reconcile-command.ts";
import { LOCAL_OFFERS } from "../../scripts/run/emulators/price-list.ts";
import { type Emulators, startEmulators } from "../../scripts/run/emulators/start-emulators.ts";
import { takePayment } from "../../scripts/run/emulators/stripe/payments.ts";
import { type OpenOperatorDatabase, openOperatorDatabase } from "../support/operator-database.ts";

let emulators: Emulators;
let opened: OpenOperatorDatabase;
let operator: OperatorDatabase;

beforeAll(async () => {
  emulators = await startEmulators();
  // The operator's clock: later than every payment in this test, by more than the maximum delay of events.
  opened = await openOperatorDatabase(Date.now() + 20 * 60_000);
  const envFile = join(opened.folder, "stripe");
  await writeFile(
    envFile,
    `STRIPE_SECRET_KEY=sk_test_local\nSTRIPE_API_URL=${emulators.stripeOrigin}\nBILLING_OFFERS='${LOCAL_OFFERS}'\n`,
  );
  operator = { ...opened.operator, target: { ...opened.operator.target, envFile } };
}, 60_000);

afterAll(async () => {
  await opened.close();
  await emulators.stop();
});

/** A payment at the provider without any webhook event. */
async function payUnheard() {
  const { db, nowMs } = operator;
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
  const terms = { amount: 900, currency: "eur", customer: null, metadata: order, paymentMethod: "pm_local" };
  const intent = takePayment(emulators.book, terms, false);
  return { workspaceId, paymentId: intent.id };
}

const kindsOf = ({ differences }: Awaited<ReturnType<typeof reconcileNow>>) =>
  [...new Set(differences.map(({ kind }) => kind))].sort();

it("reconciling reports missing events and payments, and grants nothing", async () => {
  const { workspaceId, paymentId } = await payUnheard();
  const found = await reconcileNow(operator, { days: 3, isApplying: false });
  expect(kindsOf(found)).toEqual(["event-missing", "payment-missing"]);
  expect(reportReconciliation(found)).toContain(paymentId);
  expect((await workspaceById.first(operator.db, { workspaceId }))?.credits).toBe(0);
});

it("reconciling applies missing events once on request, and then finds nothing", async () => {
  const { workspaceId, paymentId } = await payUnheard();
  emulators.refund(paymentId, 450);
  expect(kindsOf(await reconcileNow(operator, { days: 3, isApplying: true }))).toContain("event-missing");
  const again = await reconcileNow(operator, { days: 3, isApplying: true });
  expect(again.differences).toEqual([]);
  expect(again.paymentsCompared).toBe(2);
  expect((await workspaceById.first(operator.db, { workspaceId }))?.credits).toBe(50);
});

it("reconciling reports a payment whose stored sum differs", async () => {
  const { paymentId } = await payUnheard();
  await reconcileNow(operator, { days: 3, isApplying: true });
  await operator.db
    .prepare("UPDATE payments SET amount_refunded = 7 WHERE payment_id = ?1")
    .bind(paymentId)
    .run();
  const found = await reconcileNow(operator, { days: 3, isApplying: false });
  expect(found.differences).toMatchObject([{ kind: "refund-differs", paymentId, atProvider: 0, stored: 7 }]);
});
