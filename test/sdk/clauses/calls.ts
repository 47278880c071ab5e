import { expect, it } from "vitest";
import {
  AuthenticationError,
  CreativePacks,
  InsufficientCreditsError,
  NotFoundError,
} from "../../../sdk/src/index.ts";
import { seedWorkspace } from "../../conformance/support/arrange.ts";
import { LOGO, SMALL, type World } from "../support/world.ts";

const NOBODYS_ID = "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71";

export const calls = (world: () => World): void => {
  it("a response has its request id and rate-limit window", async () => {
    const client = await world().client(7);
    const { data, requestId, rateLimit, response } = await client.balance.get().withResponse();
    expect(data.credits.available).toBe(7);
    expect(requestId).toBe(response.headers.get("X-Request-ID"));
    expect(rateLimit?.remaining).toBeGreaterThan(0);
    expect(rateLimit?.resetsAt.getTime()).toBeGreaterThan(Date.now() - 60_000);
    const raw = await client.balance.get().asResponse();
    expect(JSON.parse(await raw.text())).toMatchObject({ data: await client.balance.get() });
  });

  it("an API error has the next action, the request id, and whether to retry", async () => {
    const missing = (await world().client(0)).jobs.get(NOBODYS_ID);
    await expect(missing).rejects.toBeInstanceOf(NotFoundError);
    await expect(missing).rejects.toMatchObject({
      status: 404,
      code: "JOB_NOT_FOUND",
      isRetryable: false,
      nextAction: "List the workspace's jobs and use one of their ids.",
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it("a malformed key throws AuthenticationError without a retry", async () => {
    const client = new CreativePacks({ apiKey: "cpk_live_nothing", baseUrl: world().service.origin });
    await expect(client.balance.get()).rejects.toBeInstanceOf(AuthenticationError);
  });

  it("an unpaid order throws an error with the required credits", async () => {
    const client = await world().client(0);
    const { assetId } = await client.assets.upload(LOGO, { slot: "logo" });
    const order = client.packs.create({
      ...SMALL,
      selectedSizeIds: ["iab-320x50"],
      assetIds: { logo: assetId },
    });
    await expect(order).rejects.toBeInstanceOf(InsufficientCreditsError);
    await expect(order).rejects.toMatchObject({ details: { required: 1, available: 0 } });
  });

  it("a list iterates over all its pages", async () => {
    const { key } = await seedWorkspace(world().service, { credits: 1, grants: 6 });
    const client = new CreativePacks({ apiKey: key, baseUrl: world().service.origin });
    const ids: string[] = [];
    for await (const event of client.usage.list({ limit: 3 })) ids.push(event.eventId);
    expect(new Set(ids).size).toBe(7);
    const { items, nextBefore } = await client.usage.list({ limit: 3 }).firstPage();
    expect(items.map(({ eventId }) => eventId)).toEqual(ids.slice(0, 3));
    expect(nextBefore).toMatch(/^[0-9]+$/);
    const pages: number[] = [];
    for await (const page of client.usage.list({ limit: 3 }).byPage()) pages.push(page.items.length);
    expect(pages).toEqual([3, 3, 1]);
  });

  it("the catalogue is a list and needs no key", async () => {
    const client = new CreativePacks({ apiKey: null, baseUrl: world().service.origin });
    const contractIds: string[] = [];
    for await (const { contractId } of client.contracts.list()) contractIds.push(contractId);
    expect(contractIds).toContain(SMALL.contractId);
    expect((await client.contracts.get(SMALL.contractId)).sizes.length).toBeGreaterThan(0);
    expect((await client.service.health()).status).toBe("ok");
  });
};
