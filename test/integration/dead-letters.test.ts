import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { newId } from "../../src/platform/ids.ts";
import {
  acceptedJob,
  deliver,
  deliverDead,
  eventsOf,
  expectInvariants,
  holdQueue,
  readJob,
  workspaceWithLogo,
} from "../support/jobs.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const TWO_SIZES = { selectedSizeIds: ["iab-320x50", "iab-120x60"] };

describe("a message that the queue gave up on ends its job with the cost given back", () => {
  it.each(["credits", "subscription", "unlimited"] as const)(
    "paid by %s, once however often",
    async (source) => {
      holdQueue();
      const client = await workspaceWithLogo(
        source === "credits"
          ? { credits: 5 }
          : source === "subscription"
            ? { quota: 5 }
            : { unlimited: true },
      );
      const { jobId } = await acceptedJob(client);
      for (let time = 0; time < 2; time += 1) {
        expect((await deliverDead({ jobId, positions: [0] })).retryMessages).toEqual([]);
      }
      expect(await readJob(client.secret, jobId)).toMatchObject({
        status: "failed",
        failure: { code: "RENDERING_FAILED", refunded: true },
      });
      expect(await eventsOf(jobId)).toEqual([
        { type: "consumption", amount: -1, source },
        { type: "refund", amount: 1, source },
      ]);
      await expectInvariants(client.workspaceId);
    },
  );

  it("also when some of the job is drawn; what is still to come finds nothing to do", async () => {
    holdQueue();
    const client = await workspaceWithLogo();
    const { jobId } = await acceptedJob(client, TWO_SIZES);
    await deliver({ jobId, positions: [0] });
    await deliverDead({ jobId, positions: [1] });
    await deliver({ jobId, positions: [1] });
    expect((await readJob(client.secret, jobId)).status).toBe("failed");
    await expectInvariants(client.workspaceId);
  });

  it("but not when what it names is drawn by now", async () => {
    holdQueue();
    const client = await workspaceWithLogo();
    const { jobId } = await acceptedJob(client, TWO_SIZES);
    await deliver({ jobId, positions: [0] });
    await deliverDead({ jobId, positions: [0] });
    expect((await readJob(client.secret, jobId)).status).toBe("running");
    await deliver({ jobId, positions: [1] });
    await deliverDead({ jobId, positions: [0, 1] });
    expect((await readJob(client.secret, jobId)).status).toBe("succeeded");
    await expectInvariants(client.workspaceId);
  });
});

describe("dead letters themselves", () => {
  it("are acknowledged when they name nothing", async () => {
    for (const body of [null, { jobId: newId(), positions: [0] }]) {
      expect((await deliverDead(body)).retryMessages).toEqual([]);
    }
  });

  it("come again when the database is away", async () => {
    holdQueue();
    const client = await workspaceWithLogo();
    const { jobId } = await acceptedJob(client);
    vi.spyOn(env.DB, "batch").mockRejectedValueOnce(new Error("the database is away"));
    expect((await deliverDead({ jobId, positions: [0] })).retryMessages).toHaveLength(1);
    await deliverDead({ jobId, positions: [0] });
    expect((await readJob(client.secret, jobId)).status).toBe("failed");
  });
});
