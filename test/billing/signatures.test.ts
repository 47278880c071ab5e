import { beforeEach, expect, it } from "vitest";
import { World } from "../fault/world.ts";
import { reportStress } from "../stress/report.ts";
import { selectValue } from "../support/database.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { EVENTS_PATH, History } from "./history.ts";
import { BILLING_SETTINGS } from "./offers.ts";
import { expectAgreement } from "./oracle.ts";
import { signatureOf, v1Of } from "./sign-event.ts";
import { perform } from "./steps.ts";
import type { StripeEvent } from "./stripe-objects.ts";

/**
 * An event takes effect only if the provider signed these bytes with the current secret within the last five minutes,
 * and only once (https://docs.stripe.com/webhooks#verify-manually).
 */

beforeEach(silenceLogs);

const START_MS = Date.parse("2031-06-01T00:00:00.000Z");
const AGE_S_MAX = 300;

/** A payment whose event was not delivered yet. */
async function paid(): Promise<{ history: History; event: StripeEvent; nowS: number }> {
  const history = await History.begin(new World(START_MS, BILLING_SETTINGS), [0]);
  await perform(history, { do: "buy", buyer: 0, offer: 0, purchase: "card" });
  const event = history.pending.find(({ type }) => type === "payment_intent.succeeded");
  if (event === undefined) throw new Error("a payment without its event");
  return { history, event, nowS: Math.floor(history.world.nowMs / 1_000) };
}

/** Sends a body with exactly these headers. */
const send = (history: History, payload: string, headers: Readonly<Record<string, string>>) =>
  history.world.request({
    method: "POST",
    path: EVENTS_PATH,
    body: new TextEncoder().encode(payload),
    headers: { "Content-Type": "application/json", ...headers },
  });

const eventsOf = ({ buyers }: History): Promise<number | null> =>
  selectValue<number>`SELECT COUNT(*) FROM ledger_events WHERE workspace_id = ${buyers[0]?.workspaceId}`;

type Forge = (event: StripeEvent, nowS: number) => Promise<{ payload?: string; signature: string | null }>;

const FORGERIES: Readonly<Record<string, Forge>> = {
  "no header": async () => ({ signature: null }),
  "an empty header": async () => ({ signature: "" }),
  "another kind of header": async () => ({ signature: "Bearer 0123456789" }),
  "a header without a time": async ({ payload }, nowS) => ({ signature: `v1=${await v1Of(payload, nowS)}` }),
  "a header without a signature": async (_, nowS) => ({ signature: `t=${nowS}` }),
  "a NaN timestamp": async ({ payload }) => ({
    signature: `t=now,v1=${await v1Of(payload, Number.NaN)}`,
  }),
  "a timestamp beside a NaN timestamp": async ({ payload }, nowS) => ({
    signature: `t=${nowS},t=now,v1=${await v1Of(payload, Number.NaN)}`,
  }),
  "a signature of zeros": async (_, nowS) => ({ signature: `t=${nowS},v1=${"0".repeat(64)}` }),
  "a truncated signature": async ({ payload }, nowS) => ({
    signature: `t=${nowS},v1=${(await v1Of(payload, nowS)).slice(0, 63)}`,
  }),
  "the older scheme v0": async ({ payload }, nowS) => ({
    signature: `t=${nowS},v0=${await v1Of(payload, nowS)}`,
  }),
  "another secret": async ({ payload }, nowS) => ({
    signature: `t=${nowS},v1=${await v1Of(payload, nowS, "whsec_another_0123456789abcdef01234567")}`,
  }),
  "an empty secret": async ({ payload }, nowS) => ({
    // HMAC pads keys with zeros, so a single zero byte acts as the empty key, which not every runtime can import.
    signature: `t=${nowS},v1=${await v1Of(payload, nowS, "\0")}`,
  }),
  "a body with one more space": async ({ payload }, nowS) => ({
    payload: `${payload} `,
    signature: `t=${nowS},v1=${await v1Of(payload, nowS)}`,
  }),
  "a body with another amount": async ({ payload }, nowS) => ({
    payload: payload.replace('"amount_received":1000', '"amount_received":9000'),
    signature: `t=${nowS},v1=${await v1Of(payload, nowS)}`,
  }),
  "a body with another workspace": async ({ payload }, nowS) => ({
    payload: payload.replace(/"workspaceId":"[^"]+"/, '"workspaceId":"00000000-0000-7000-8000-000000000000"'),
    signature: `t=${nowS},v1=${await v1Of(payload, nowS)}`,
  }),
  "a changed timestamp": async ({ payload }, nowS) => ({
    signature: `t=${nowS},v1=${await v1Of(payload, nowS - 1)}`,
  }),
  "an expired signature": async ({ payload }, nowS) => {
    const seconds = nowS - AGE_S_MAX - 1;
    return { signature: `t=${seconds},v1=${await v1Of(payload, seconds)}` };
  },
  "an old signature with a new timestamp": async ({ payload }, nowS) => {
    const seconds = nowS - AGE_S_MAX - 1;
    return { signature: `t=${seconds},t=${nowS},v1=${await v1Of(payload, seconds)}` };
  },
  "a header of 100 KB": async (_, nowS) => ({
    signature: `t=${nowS},${`v1=${"0".repeat(64)},`.repeat(1_500)}`,
  }),
  "an empty body": async (_, nowS) => ({
    payload: "",
    signature: `t=${nowS},v1=${await v1Of("", nowS - 1)}`,
  }),
};

it.for(Object.entries(FORGERIES))("%s is refused and changes nothing", async ([, forge], { task }) => {
  const { history, event, nowS } = await paid();
  const { payload = event.payload, signature } = await forge(event, nowS);
  const before = await eventsOf(history);
  const reply = await send(history, payload, signature === null ? {} : { "Stripe-Signature": signature });
  const after = await eventsOf(history);
  reportStress(task, {
    counts: { "forged events": 1 },
    leaked: reply.status === 400 && after === before ? 0 : 1,
  });
  expect([reply.status, reply.body?.error?.code]).toEqual([400, "SIGNATURE_INVALID"]);
  expect(after).toBe(before);
});

it("an event is applied once, however often it is sent with a valid signature", async () => {
  const { history, event } = await paid();
  const { world } = history;
  const signature = await signatureOf(event.payload, world.nowMs);
  for (let time = 0; time < 3; time += 1) {
    expect((await send(history, event.payload, { "Stripe-Signature": signature })).status).toBe(200);
  }
  // The same request, intercepted and replayed after its signature's lifetime.
  world.wait((AGE_S_MAX + 1) * 1_000);
  expect((await send(history, event.payload, { "Stripe-Signature": signature })).status).toBe(400);
  // The provider signs each attempt again, even days later.
  world.wait(3 * 86_400_000);
  const again = await signatureOf(event.payload, world.nowMs);
  expect((await send(history, event.payload, { "Stripe-Signature": again })).status).toBe(200);
  // One ledger event: the grant.
  expect(await eventsOf(history)).toBe(1);
});

it("a signature is valid for five minutes", async () => {
  const { history, event, nowS } = await paid();
  const seconds = nowS - AGE_S_MAX;
  const signature = `t=${seconds},v1=${await v1Of(event.payload, seconds)}`;
  expect((await send(history, event.payload, { "Stripe-Signature": signature })).status).toBe(200);
});

it("one valid signature of several suffices while the secret is rotated", async () => {
  const { history, event, nowS } = await paid();
  const good = await v1Of(event.payload, nowS);
  const other = await v1Of(event.payload, nowS, "whsec_another_0123456789abcdef01234567");
  for (const signatures of [`v1=${other},v1=${good}`, `v1=${good},v1=${other}`, `v0=${other},v1=${good}`]) {
    const sent = { "Stripe-Signature": `t=${nowS},${signatures}` };
    expect((await send(history, event.payload, sent)).status, signatures).toBe(200);
  }
  for (const pending of [...history.pending]) await history.deliver(pending);
  await expectAgreement(history);
  expect(await eventsOf(history)).toBe(1);
});
