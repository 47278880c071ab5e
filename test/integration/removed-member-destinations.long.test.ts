import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { reportAccessAttempts } from "../support/access.ts";
import { addMember, callAs, createAccount } from "../support/accounts.ts";
import { execute } from "../support/database.ts";
import {
  closeDeliveries,
  consumeDelivery,
  enableDestination,
  HOOK_URL,
  holdDeliveries,
  inWorkspace,
  listDeliveries,
  readDelivery,
  retryDelivery,
  type Sender,
  STORE_BODY,
  saved,
  senderWithPack,
  sendTo,
  standIn,
  started,
} from "../support/deliveries.ts";
import { acceptedJob, cancel, holdQueue } from "../support/jobs.ts";
import { refusalOf } from "../support/refusals.ts";

reportAccessAttempts();
holdDeliveries();
/** One workspace with a drawn pack for all tests, because drawing one per test would cost seconds. */
let owner: Sender;
beforeAll(async () => {
  owner = await senderWithPack();
});
beforeEach(() => {
  // Keeps jobs queued, so that they can be canceled.
  holdQueue();
});
afterEach(async () => {
  await closeDeliveries();
  await execute`UPDATE destinations SET deleted_at = 1, sealed = NULL
    WHERE workspace_id = ${owner.workspaceId}`;
});

type Person = Awaited<ReturnType<typeof createAccount>>;

const WEBHOOK = { kind: "webhook", url: HOOK_URL, events: ["job.canceled"] };
const OWNERS = { ...WEBHOOK, url: `${HOOK_URL}&of=the-owner` };

/** The owner of a workspace without destinations, a new member, and their requests. */
async function workspaceOfTwo() {
  const member = await createAccount();
  await addMember(owner.workspaceId, member.accountId, "member");
  const as = (person: Person): Sender => ({ ...owner, account: person });
  return { member: as(member), as, receivers: standIn() };
}
type Two = Awaited<ReturnType<typeof workspaceOfTwo>>;

const takeOut = (by: Sender, person: Person) =>
  callAs(by.account, "POST", inWorkspace(by, `members/${person.accountId}/remove`));

async function listed(by: Sender) {
  const answer = await callAs(by.account, "GET", inWorkspace(by, "destinations"));
  const items: readonly Record<string, unknown>[] = answer.body.data.items;
  return (destinationId: string) => items.find((item) => item.destinationId === destinationId);
}

/** Ends a job that notifies webhooks, and delivers all messages. */
async function endJob({ receivers }: Two): Promise<number> {
  const before = receivers.messages.length;
  const { client } = owner.pack;
  expect((await cancel(client.secret, (await acceptedJob(client)).jobId)).status).toBe(200);
  for (const { deliveryId, status } of (await listDeliveries(owner)).items) {
    if (status === "queued") await consumeDelivery(deliveryId);
  }
  return receivers.messages.length - before;
}

const PAUSED = {
  status: "paused",
  statusReason: { code: "CREATOR_REMOVED", message: expect.stringContaining("owner") },
};

it.each(["by an owner", "by themselves"])("the webhook of a member removed %s gets nothing", async (by) => {
  const two = await workspaceOfTwo();
  const { member } = two;
  const { destination } = await saved(member, WEBHOOK);
  await saved(owner, OWNERS);
  expect(destination).toMatchObject({
    status: "active",
    statusReason: null,
    createdBy: { accountId: member.account.accountId, name: expect.any(String), role: "member" },
  });
  expect(await endJob(two)).toBe(2);
  const remover = by === "by an owner" ? owner : member;
  expect((await takeOut(remover, member.account)).status).toBe(200);
  // The owner's webhook still gets its message.
  expect(await endJob(two)).toBe(1);
  const of = await listed(owner);
  expect(of(destination.destinationId)).toMatchObject({
    ...PAUSED,
    disabledAt: expect.any(String),
    createdBy: { accountId: member.account.accountId, role: null },
  });
});

describe("a removed member's delivery", () => {
  it("is dead if it was waiting for an attempt, and nothing is sent", async () => {
    const { member, receivers } = await workspaceOfTwo();
    const first = await started(member, { ...WEBHOOK, events: undefined });
    const next = await started(member, { kind: "webhook", url: `${HOOK_URL}&next=1` });
    receivers.answers.push(new Response(null, { status: 503 }));
    await consumeDelivery(next.deliveryId);
    await takeOut(owner, member.account);
    const sent = receivers.messages.length;
    for (const { deliveryId } of [first, next]) {
      expect(await consumeDelivery(deliveryId)).toBe("acknowledged");
      expect(await readDelivery(owner, deliveryId)).toMatchObject({
        status: "dead",
        nextAttemptAt: null,
        failure: { code: "DESTINATION_UNAVAILABLE", message: expect.stringContaining("member") },
      });
    }
    expect(receivers.messages.length).toBe(sent);
  });

  it("that had put part of a pack in a store puts no further file and no manifest", async () => {
    const { member, receivers } = await workspaceOfTwo();
    const delivery = await started(member, { ...STORE_BODY, prefix: "of-a-member" });
    const handle = receivers.store.handle.bind(receivers.store);
    vi.spyOn(receivers.store, "handle").mockImplementation(async (request) => {
      const answered = await handle(request);
      if (request.method === "HEAD") await takeOut(owner, member.account);
      return answered;
    });
    expect(await consumeDelivery(delivery.deliveryId)).toBe("acknowledged");
    expect(receivers.store.order).toHaveLength(1);
    expect(await readDelivery(owner, delivery.deliveryId)).toMatchObject({ status: "dead" });
    expect((await listed(owner))(delivery.destinationId)).toMatchObject({ kind: "s3", ...PAUSED });
  });
});

describe("a paused destination", () => {
  it("gets nothing, not even by a retry, until an owner enables it", async () => {
    const two = await workspaceOfTwo();
    const { member, as } = two;
    const other = await createAccount();
    await addMember(owner.workspaceId, other.accountId, "member");
    const { destination } = await saved(member, WEBHOOK);
    const { destinationId } = destination;
    const delivery = await started(member, { destinationId });
    await takeOut(owner, member.account);
    const retry = () => retryDelivery(owner, delivery.deliveryId);
    for (const refused of [await sendTo(owner, { destinationId }), await retry()]) {
      expect(refusalOf(refused)).toEqual([409, "DESTINATION_PAUSED"]);
    }
    expect(refusalOf(await enableDestination(as(other), destinationId))).toEqual([403, "ROLE_INSUFFICIENT"]);
    expect((await listed(owner))(destinationId)).toMatchObject(PAUSED);
    // Saving the same URL again does not count as an owner's decision.
    expect((await saved(as(other), WEBHOOK)).destination).toMatchObject({ destinationId, ...PAUSED });
    expect(await endJob(two)).toBe(0);

    const enabled = await enableDestination(owner, destinationId);
    expect(enabled.body.data).toMatchObject({ status: "active", statusReason: null, disabledAt: null });
    expect(enabled.body.data.createdBy).toMatchObject({ accountId: member.account.accountId, role: null });
    expect((await retry()).status).toBe(202);
    expect(await endJob(two)).toBe(2);
  });

  it("stays paused when the member returns, and is paused again at the next removal", async () => {
    const two = await workspaceOfTwo();
    const { member } = two;
    const { destinationId } = (await saved(member, WEBHOOK)).destination;
    await takeOut(owner, member.account);
    await addMember(owner.workspaceId, member.account.accountId, "member");
    expect((await saved(member, WEBHOOK)).destination).toMatchObject({ destinationId, ...PAUSED });
    expect((await enableDestination(member, destinationId)).status).toBe(403);
    expect((await enableDestination(owner, destinationId)).status).toBe(200);
    expect(await endJob(two)).toBe(1);
    await takeOut(owner, member.account);
    expect(await endJob(two)).toBe(0);
  });

  it("is paused even if a 410 had disabled it, so that only an owner can enable it", async () => {
    const { member, as, receivers } = await workspaceOfTwo();
    const other = await createAccount();
    await addMember(owner.workspaceId, other.accountId, "member");
    const delivery = await started(member, { kind: "webhook", url: HOOK_URL });
    receivers.answers.push(new Response(null, { status: 410 }));
    await consumeDelivery(delivery.deliveryId);
    const { destinationId } = delivery;
    expect((await listed(owner))(destinationId)).toMatchObject({
      status: "disabled",
      statusReason: { code: "RECEIVER_GONE" },
    });
    await takeOut(owner, member.account);
    expect((await listed(owner))(destinationId)).toMatchObject(PAUSED);
    expect((await enableDestination(as(other), destinationId)).status).toBe(403);
  });
});

it("a destination with an unknown creator is paused by any removal, until an owner takes it over", async () => {
  const two = await workspaceOfTwo();
  const { member } = two;
  const { destinationId } = (await saved(owner, OWNERS)).destination;
  await execute`UPDATE destinations SET created_by = NULL
    WHERE destination_id = ${destinationId}`;
  expect((await listed(owner))(destinationId)).toMatchObject({ status: "active", createdBy: null });
  await takeOut(owner, member.account);
  expect((await listed(owner))(destinationId)).toMatchObject({ ...PAUSED, createdBy: null });
  expect((await enableDestination(owner, destinationId)).body.data).toMatchObject({
    status: "active",
    createdBy: { accountId: owner.account.accountId, role: "owner" },
  });
  await addMember(owner.workspaceId, member.account.accountId, "member");
  await takeOut(owner, member.account);
  expect(await endJob(two)).toBe(1);
});

it("a destination saved by a member who is removed meanwhile is not stored", async () => {
  const { member } = await workspaceOfTwo();
  const { batch } = env.DB;
  const spy = vi.spyOn(env.DB, "batch").mockImplementation(async (statements) => {
    spy.mockRestore();
    await takeOut(owner, member.account);
    return batch.call(env.DB, statements);
  });
  const answer = await callAs(member.account, "POST", inWorkspace(owner, "destinations"), { body: WEBHOOK });
  expect(refusalOf(answer)).toEqual([404, "WORKSPACE_NOT_FOUND"]);
  expect((await callAs(owner.account, "GET", inWorkspace(owner, "destinations"))).body.data.items).toEqual(
    [],
  );
});
