import { beforeEach, expect, it } from "vitest";
import { crashAtEveryStep } from "../fault/crash-every-step.ts";
import { freshStorage } from "../fault/fresh-storage.ts";
import type { World } from "../fault/world.ts";
import { reportStress } from "../stress/report.ts";
import { execute, selectRows } from "../support/database.ts";
import { History } from "./history.ts";
import { BILLING_SETTINGS, CREDIT_OFFERS } from "./offers.ts";
import { expectAgreement } from "./oracle.ts";
import { chargeSavedCard } from "./provider-payments.ts";

/**
 * Crashes the sweep that buys credits at every await: the credits must be charged and granted once, and a declined card
 * must be tried only once.
 */

// The sweep handles every workspace, so start without any.
beforeEach(freshStorage);

const MINUTE_MS = 60_000;
const GRANTED = 30;
const BELOW = 20;

interface Buying {
  readonly history: History;
  readonly workspaceId: string;
}

const [OFFER] = CREDIT_OFFERS;

/** Answers as a provider whose customer has a saved card. Repeats the first answer to each idempotency key. */
function answerAsProvider(history: History, workspaceId: string, isPaid: boolean) {
  const answers = new Map<string, { readonly status: number; readonly body: object }>();
  const create = async (form: URLSearchParams) => {
    const metadata = Object.fromEntries(
      ["orderId", "workspaceId", "offerId", "kind"].map((name) => [
        name,
        form.get(`metadata[${name}]`) ?? "",
      ]),
    );
    if (OFFER === undefined) throw new Error("nothing is sold");
    await history.act((provider) => {
      history.payments.push(chargeSavedCard(provider, workspaceId, OFFER, metadata, isPaid));
    });
    const id = history.payments.at(-1)?.intent.id;
    return isPaid
      ? { status: 200, body: { id, object: "payment_intent", status: "succeeded" } }
      : { status: 402, body: { error: { type: "card_error", code: "card_declined", message: "Declined." } } };
  };
  return async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname === "/v1/payment_intents") {
      const key = request.headers.get("Idempotency-Key") ?? "";
      const answer =
        answers.get(key) ??
        (await create(new URLSearchParams(new TextDecoder().decode(await request.arrayBuffer()))));
      answers.set(key, answer);
      return Response.json(answer.body, { status: answer.status });
    }
    if (pathname === "/v1/payment_methods") {
      return Response.json({ object: "list", has_more: false, data: [{ id: "pm_kept" }] });
    }
    return Response.json({ id: pathname.split("/").at(-1), object: "customer" });
  };
}

/** A workspace with a rule, whose balance has just fallen below the threshold. */
async function arrange(world: World, isPaid: boolean): Promise<Buying> {
  const history = await History.begin(world, [GRANTED]);
  const [buyer] = history.buyers;
  if (buyer === undefined || OFFER === undefined) throw new Error("nobody buys anything");
  const { workspaceId } = buyer;
  const { offerId, credits, currency, amount } = OFFER;
  await execute`INSERT INTO billing_customers (workspace_id, customer_id, created_at)
    VALUES (${workspaceId}, ${`cus_${workspaceId}`}, 1)`;
  await execute`INSERT INTO top_up_rules
      (workspace_id, offer_id, credits, currency, amount, below_credits, monthly_credits_max, status, updated_at)
    VALUES (${workspaceId}, ${offerId}, ${credits}, ${currency}, ${amount}, ${BELOW}, 1000, 'active', 1)`;
  world.receive = answerAsProvider(history, workspaceId, isPaid);
  await history.spend(buyer, GRANTED - BELOW + 1);
  return { history, workspaceId };
}

/** Runs further sweeps and delivers the provider's events. */
async function settle(world: World, { history }: Buying): Promise<void> {
  for (let minute = 0; minute < 5; minute += 1) {
    world.wait(MINUTE_MS);
    await world.sweep();
  }
  for (const event of [...history.pending]) await history.deliver(event);
  world.wait(MINUTE_MS);
  await world.sweep();
  await expectAgreement(history);
  for (const job of history.buyers.flatMap(({ jobs }) => jobs)) await history.failJob(job);
}

it.for([
  [true, "paid", "active"],
  [false, "failed", "paused"],
] as const)("a crashed purchase (card accepted: %s) ends %s", async ([isPaid, status, rule], { task }) => {
  const finding = await crashAtEveryStep<Buying>({
    settings: BILLING_SETTINGS,
    arrange: (world) => arrange(world, isPaid),
    act: async (world) => {
      await world.sweep();
      return true;
    },
    settle: async (world, buying) => {
      await settle(world, buying);
      expect(buying.history.payments, "charges").toHaveLength(1);
      const { workspaceId } = buying;
      expect(await selectRows`SELECT status FROM top_ups WHERE workspace_id = ${workspaceId}`).toEqual([
        { status },
      ]);
      expect(await selectRows`SELECT status FROM top_up_rules WHERE workspace_id = ${workspaceId}`).toEqual([
        { status: rule },
      ]);
    },
  });
  reportStress(task, finding);
});
