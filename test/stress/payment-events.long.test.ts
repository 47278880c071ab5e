import { afterAll, beforeAll, expect, it } from "vitest";
import { entitledTo } from "../billing/entitled-to.ts";
import { BILLING_SETTINGS, CREDIT_OFFERS } from "../billing/offers.ts";
import { type Order, Provider } from "../billing/provider.ts";
import { buyInCheckout, type ProviderPayment, refundShare } from "../billing/provider-payments.ts";
import { signatureOf } from "../billing/sign-event.ts";
import type { StripeEvent } from "../billing/stripe-objects.ts";
import { imbalance, readBooks } from "./books.ts";
import { type Answer, ask, atATime, isMoving, readAnswer, untilRetryAfter } from "./http-client.ts";
import { type LocalService, type LocalWorkspace, startLocalService } from "./local-service.ts";
import { moveMeanwhile } from "./mover.ts";
import { reportStress } from "./report.ts";
import { stressScale } from "./scale.ts";

/** Guarantee: a burst of payment events is taken to the last one, each once, and the balances are those that were paid. */

let service: LocalService;
beforeAll(async () => {
  service = await startLocalService([0, 0, 0], BILLING_SETTINGS);
});
afterAll(() => service.stop());

/** As many as the provider sends at a time when it catches up. */
const AT_A_TIME = 50;
/** Three years ago: days pass between the events, and none may be dated in the future. */
const START_S = Math.floor(Date.now() / 1_000) - 3 * 365 * 86_400;

/** Payments of the workspaces, some given back in part, until they have made so many events. */
function sell(provider: Provider, workspaces: readonly LocalWorkspace[], events: number): ProviderPayment[] {
  const payments: ProviderPayment[] = [];
  while (provider.events.length < events) {
    const at = payments.length;
    const workspace = workspaces[at % workspaces.length];
    const offer = CREDIT_OFFERS[at % CREDIT_OFFERS.length];
    if (workspace === undefined || offer === undefined) throw new Error("nobody buys anything");
    const payment = buyInCheckout(
      provider,
      workspace.workspaceId,
      offer,
      at % 5 === 0 ? "later paid" : "card",
    );
    payments.push(payment);
    provider.now += 1;
    if (at % 2 === 0) refundShare(provider, payment, 0.5, false);
    provider.now += 1;
  }
  return payments;
}

/** Writes the orders of the workspaces that live in a database. */
const writeOrders = (db: D1Database, orders: readonly Order[]): Promise<unknown> =>
  db.batch(
    orders.map(({ orderId, workspaceId, kind, offer }) =>
      db
        .prepare(
          `INSERT INTO billing_orders
             (order_id, workspace_id, kind, offer_id, currency, amount, credits, quota, session_id, created_at)
           SELECT ?1, workspace_id, ?3, ?4, ?5, ?6, ?7, NULL, NULL, 1 FROM workspaces
             WHERE workspace_id = ?2 AND home IS NULL`,
        )
        .bind(
          ...[orderId, workspaceId, kind, offer.offerId, offer.currency, offer.amount],
          offer.kind === "credits" ? offer.credits : 0,
        ),
    ),
  );

/** The same items in an order that has nothing to do with theirs, and is the same each time. */
const scattered = <T>(items: readonly T[]): T[] =>
  items
    .map((item, at) => ({ item, place: (at * 7_919) % 1_009 }))
    .sort((left, right) => left.place - right.place)
    .map(({ item }) => item);

/** Sends an event, and again for as long as its workspace is being moved: the provider repeats what is not taken. */
async function send({ payload }: StripeEvent): Promise<number> {
  for (;;) {
    const answer = await post(payload);
    if (!isMoving(answer)) return answer.status;
    await untilRetryAfter(answer);
  }
}

async function post(payload: string): Promise<Answer> {
  const response = await fetch(new URL("/api/billing/events", service.worker().origin), {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "Stripe-Signature": await signatureOf(payload, Date.now()),
    },
    body: payload,
  });
  return readAnswer(response);
}

it("a thousand payment events at once are all taken, and each counts once", async ({ task }) => {
  const { loadRequests } = stressScale();
  const provider = new Provider("load", START_S);
  const payments = sell(provider, service.workspaces, loadRequests);
  await service.betweenRuns((db) => writeOrders(db, provider.orders));

  const mover = moveMeanwhile(service);
  const startedAtMs = performance.now();
  const statuses = await atATime(AT_A_TIME, scattered(provider.events), send);
  const minutes = (performance.now() - startedAtMs) / 60_000;
  const refused = statuses.filter((status) => status !== 200).length;
  console.log(`${statuses.length} events, ${Math.round(statuses.length / minutes)} a minute`);

  const { moves, undone } = await mover.end();
  let wrong = 0;
  for (const { workspaceId, secret } of service.workspaces) {
    const books = await readBooks((sent) => ask(service.worker().origin, sent), secret);
    const expected = payments
      .filter((payment) => payment.workspaceId === workspaceId)
      .reduce((sum, payment) => sum + entitledTo(payment), 0);
    wrong += imbalance(books) + Math.abs(books.credits - expected);
  }
  reportStress(task, {
    counts: { "payment events at once": statuses.length, moves },
    lost: refused,
    hung: undone,
    duplicated: wrong,
  });
  expect(refused).toBe(0);
  expect(wrong).toBe(0);
  expect(undone).toBe(0);
});
