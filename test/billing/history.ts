import { expect } from "vitest";
import { newId } from "#platform/ids.ts";
import type { Crash, Pause } from "../fault/gate.ts";
import { InjectedFault } from "../fault/gate.ts";
import type { Reply, World } from "../fault/world.ts";
import { execute } from "../support/database.ts";
import { isOnShards } from "../support/homes.ts";
import { failAndRefund, spend } from "../support/ledger.ts";
import { beginMove, countMoves, finishMove, isClosed } from "../support/moves.ts";
import { createWorkspace } from "../support/workspace.ts";
import { type Order, Provider } from "./provider.ts";
import type { ProviderPayment } from "./provider-payments.ts";
import type { ProviderPlan } from "./provider-plans.ts";
import { signatureOf } from "./sign-event.ts";
import type { StripeEvent } from "./stripe-objects.ts";

export const EVENTS_PATH = "/api/billing/events";

/** A workspace that buys and spends. */
export interface Buyer {
  readonly workspaceId: string;
  /** Credits that an operator granted at the start. */
  readonly granted: number;
  readonly jobs: { readonly jobId: string; isRefunded: boolean }[];
}

/** Sends an event to the service as the provider would, signed now. */
export async function post(world: World, { payload }: StripeEvent): Promise<Reply> {
  return world.request({
    method: "POST",
    path: EVENTS_PATH,
    body: new TextEncoder().encode(payload),
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Stripe-Signature": await signatureOf(payload, world.nowMs),
    },
  });
}

/** Inserts an order, as the service does before it calls the provider. */
async function insertOrderRow({ orderId, workspaceId, kind, offer }: Order, nowMs: number): Promise<void> {
  const { offerId, currency, amount } = offer;
  const [credits, quota] = offer.kind === "plan" ? [0, offer.quota] : [offer.credits, null];
  await execute`INSERT INTO billing_orders
      (order_id, workspace_id, kind, offer_id, currency, amount, credits, quota, session_id, created_at)
    VALUES (${orderId}, ${workspaceId}, ${kind}, ${offerId}, ${currency}, ${amount}, ${credits}, ${quota}, NULL, ${nowMs})`;
}

/** A workspace that is being moved refuses the event, and the provider resends it. */
function expectAnswer({ payload }: StripeEvent, reply: Reply): void {
  const isMoving = isOnShards() && reply.status === 429 && reply.body?.error?.code === "SERVICE_BUSY";
  expect(isMoving || isAccepted(reply), `${payload} answered ${JSON.stringify(reply)}`).toBe(true);
}

const isAccepted = ({ status }: Reply): boolean => status >= 200 && status < 300;

/** A history of events at the provider and of their effects in the service. */
export class History {
  readonly world: World;
  readonly provider: Provider;
  readonly payments: ProviderPayment[] = [];
  readonly plans: ProviderPlan[] = [];
  readonly buyers: readonly Buyer[];
  /** Workspaces that had two live plans at the provider at some time. */
  readonly crowded = new Set<string>();
  /** Events that the service has not accepted yet; the provider resends them. */
  readonly pending: StripeEvent[] = [];
  readonly accepted: StripeEvent[] = [];
  deliveries = 0;
  crashes = 0;
  #received = 0;
  #ordered = 0;

  private constructor(world: World, buyers: readonly Buyer[]) {
    this.world = world;
    this.provider = new Provider(newId(), Math.floor(world.nowMs / 1_000));
    this.buyers = buyers;
  }

  /** Starts a history with one workspace per grant, in credits. */
  static async begin(world: World, grants: readonly number[]): Promise<History> {
    const buyers = await Promise.all(
      grants.map(async (granted) => {
        const { workspaceId } = await createWorkspace({ credits: granted });
        return { workspaceId, granted, jobs: [] };
      }),
    );
    return new History(world, buyers);
  }

  /** Acts at the provider, and then advances both clocks. */
  async act(action: (provider: Provider) => void): Promise<void> {
    this.provider.now = Math.max(this.provider.now, Math.floor(this.world.nowMs / 1_000));
    action(this.provider);
    for (const order of this.provider.orders.slice(this.#ordered)) {
      // A buyer refused because of a move retries a minute later.
      if (await isClosed(order.workspaceId)) await this.finishMoves();
      await insertOrderRow(order, this.world.nowMs);
    }
    this.#ordered = this.provider.orders.length;
    this.world.nowMs = Math.max(this.world.nowMs, this.provider.now * 1_000) + 1_000;
    this.pending.push(...this.provider.events.slice(this.#received));
    this.#received = this.provider.events.length;
  }

  /** Sends an event once, with a planned crash if any. */
  async deliver(event: StripeEvent, crash: Crash | null = null): Promise<void> {
    this.deliveries += 1;
    if (crash !== null) this.world.crash(crash);
    const reply = await post(this.world, event).catch((thrown: unknown) => {
      if (crash === null || !(thrown instanceof InjectedFault)) throw thrown;
      return { status: 0, body: null };
    });
    const isAnswered = isAccepted(reply) && !this.world.isDead;
    if (crash !== null) {
      if (!isAnswered) this.crashes += 1;
      this.world.restart();
    } else expectAnswer(event, reply);
    if (isAnswered) this.#accept(event);
  }

  /**
   * Pauses an event's handling at a step while `meanwhile` runs. If the handling has no such step, runs `meanwhile`
   * afterwards and returns false.
   */
  async deliverDuring(event: StripeEvent, pause: Pause, meanwhile: () => Promise<void>): Promise<boolean> {
    this.deliveries += 1;
    this.world.crash(pause);
    const hanging = post(this.world, event);
    const didHang = await Promise.race([pause.reached.then(() => true), hanging.then(() => false)]);
    // `meanwhile` runs in a new process, because the first one is paused.
    this.world.restart();
    try {
      await meanwhile();
    } finally {
      pause.release();
    }
    const reply = await hanging;
    expectAnswer(event, reply);
    if (isAccepted(reply)) this.#accept(event);
    return didHang;
  }

  /**
   * Delivers events older than `ageMs`. The provider gives up after three days; before that, an operator has it resend
   * them.
   */
  async deliverOlderThan(ageMs: number): Promise<void> {
    const overdue = this.pending.filter(({ created }) => created * 1_000 < this.world.nowMs - ageMs);
    for (const event of overdue) await this.deliver(event);
  }

  #accept(event: StripeEvent): void {
    const at = this.pending.indexOf(event);
    if (at >= 0) this.pending.splice(at, 1);
    if (!this.accepted.includes(event)) this.accepted.push(event);
  }

  /** Pays for a job if the balance or quota covers it. */
  async spend(buyer: Buyer, cost: number): Promise<void> {
    if (await isClosed(buyer.workspaceId)) return;
    const jobId = await spend(buyer.workspaceId, cost, this.world.nowMs);
    if (jobId !== null) buyer.jobs.push({ jobId, isRefunded: false });
  }

  /** Fails a job and refunds its cost. */
  async failJob(job: Buyer["jobs"][number]): Promise<void> {
    const buyer = this.buyers.find(({ jobs }) => jobs.includes(job));
    if (buyer !== undefined && (await isClosed(buyer.workspaceId))) return;
    await failAndRefund(job.jobId, this.world.nowMs);
    job.isRefunded = true;
  }

  /** Moves a buyer's workspace to another database, if there is one. */
  async move({ workspaceId }: Buyer, at = 0): Promise<void> {
    if (await beginMove(workspaceId, at)) await finishMove(workspaceId, (ms) => this.world.wait(ms));
  }

  /** Finishes running moves. */
  async finishMoves(): Promise<void> {
    for (const { workspaceId } of this.buyers) await finishMove(workspaceId, (ms) => this.world.wait(ms));
  }

  /** The number of finished moves. */
  countMoves(): Promise<number> {
    return countMoves(this.buyers.map(({ workspaceId }) => workspaceId));
  }
}
