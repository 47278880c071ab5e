import { beforeAll, expect, it } from "vitest";
import type { DestinationRequest } from "#domains/deliveries/save-destination.ts";
import { reportStress } from "../stress/report.ts";
import { addMember, createAccount, ORIGIN } from "../support/accounts.ts";
import { selectRows } from "../support/database.ts";
import { answer } from "../support/deliveries.ts";
import { isOnShards } from "../support/homes.ts";
import { callerWithJob, untilJobEnds } from "./client.ts";
import { crashAtEveryStep, type Scenario } from "./crash-every-step.ts";
import {
  DELIVERIES,
  destinationOf,
  drawnPack,
  expectInStore,
  expectOneMessage,
  newReceivers,
  type Sending,
  sending,
  statusOf,
  TO_STORE,
  untilQuiet,
  WEBHOOK,
} from "./deliveries.ts";
import { freshStorage } from "./fresh-storage.ts";

/**
 * A delivery that is interrupted at any await ends like an undisturbed one: the receiver gets everything at least once,
 * under one id. The end of a job is reported once.
 */

beforeAll(freshStorage);

/** Runs a delivery as the queue would. */
const delivery = (
  request: DestinationRequest,
  end: string,
  prepare: (sent: Sending) => void,
  check: (sent: Sending) => void,
): Scenario<Sending> => ({
  arrange: async (world) => {
    const sent = await sending(world, request);
    prepare(sent);
    return sent;
  },
  act: (world, { message }) => world.deliver(message, DELIVERIES),
  settle: async (world, sent) => {
    await untilQuiet(world, sent.workspaceId);
    expect(await statusOf(sent.deliveryId)).toBe(end);
    // A late duplicate must have no effect.
    const requests = sent.receivers.requests.length;
    await world.deliver(sent.message, DELIVERIES);
    expect(sent.receivers.requests).toHaveLength(requests);
    expect(await statusOf(sent.deliveryId)).toBe(end);
    check(sent);
  },
});

const untouched = (): void => undefined;

it("a delivery to a webhook survives a crash at any step", async ({ task }) => {
  reportStress(task, await crashAtEveryStep(delivery(WEBHOOK, "succeeded", untouched, expectOneMessage)));
});

it("a delivery to a store survives a crash at any step", async ({ task }) => {
  reportStress(task, await crashAtEveryStep(delivery(TO_STORE, "succeeded", untouched, expectInStore)));
});

it("a delivery to a webhook that answers 410 survives a crash at any step", async ({ task }) => {
  const gone = ({ receivers }: Sending): void => {
    receivers.answers.push(...Array.from({ length: 20 }, () => new Response(null, { status: 410 })));
  };
  reportStress(task, await crashAtEveryStep(delivery(WEBHOOK, "dead", gone, expectOneMessage)));
});

it("a delivery that its store refuses survives a crash at any step", async ({ task }) => {
  const refusing = ({ receivers }: Sending): void => {
    receivers.interceptStore = () =>
      new Response("<Error><Code>AccessDenied</Code></Error>", { status: 403 });
  };
  const nothing = ({ receivers }: Sending): void => expect(receivers.store.objects.size).toBe(0);
  reportStress(task, await crashAtEveryStep(delivery(TO_STORE, "dead", refusing, nothing)));
});

it("the creation of a delivery by a session survives a crash at any step", async ({ task }) => {
  const finding = await crashAtEveryStep({
    arrange: async (world) => {
      const pack = await drawnPack(world);
      const account = await createAccount(world.nowMs + 86_400_000);
      await addMember(pack.workspaceId, account.accountId, "owner");
      return { ...pack, cookie: account.cookie };
    },
    act: async (world, { artifact, cookie }) => {
      const { status } = await world.request({
        method: "POST",
        path: `/api/account/artifacts/${artifact.artifactId}/destinations`,
        body: WEBHOOK,
        headers: { Cookie: cookie, Origin: ORIGIN },
      });
      return status === 202;
    },
    settle: async (world, { workspaceId, receivers }) => {
      await untilQuiet(world, workspaceId);
      const results = await selectRows<{
        status: string;
        id: string;
      }>`SELECT status, delivery_id AS id FROM deliveries WHERE workspace_id = ${workspaceId}`;
      expect(results).toMatchObject([{ status: "succeeded" }]);
      expect(new Set(receivers.messages.map(({ id }) => id))).toEqual(new Set(results.map(({ id }) => id)));
    },
  });
  reportStress(task, finding);
});

it("the report of a job's end to a webhook survives a crash at any step", async ({ task }) => {
  const finding = await crashAtEveryStep({
    arrange: async (world) => {
      const receivers = newReceivers();
      world.receive = (request) => answer(receivers, request);
      const job = await callerWithJob(world, { credits: 5 });
      await destinationOf(world, job.workspaceId, {
        ...WEBHOOK,
        events: ["job.succeeded", "job.failed"],
      });
      const message = world.messages.shift();
      if (message === undefined) throw new Error("the job sent no message");
      return { ...job, receivers, message };
    },
    act: (world, { message }) => world.deliver(message),
    settle: async (world, job) => {
      const { workspaceId, jobId, receivers, message } = job;
      await world.deliver(message);
      if (isOnShards()) await untilJobEnds(world, job);
      await untilQuiet(world, workspaceId);
      const results = await selectRows<{
        type: string;
        status: string;
        id: string;
      }>`SELECT event_type AS type, status, delivery_id AS id FROM deliveries WHERE job_id = ${jobId}`;
      expect(results).toMatchObject([{ type: "job.succeeded", status: "succeeded" }]);
      expect(new Set(receivers.messages.map(({ id }) => id))).toEqual(new Set(results.map(({ id }) => id)));
    },
  });
  reportStress(task, finding);
});
