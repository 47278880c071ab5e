import { afterAll, beforeAll, expect, test } from "vitest";
import { CreativePacks, InsufficientCreditsError, NotFoundError } from "../../sdk/src/index.ts";
import { seedWorkspace } from "../conformance/support/arrange.ts";
import { uploadLogo } from "../conformance/support/flow.ts";
import { type Service, startService } from "../conformance/support/service.ts";

/** Calls of the client library against the built worker. */

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const clientWith = async (credits: number, options = {}): Promise<CreativePacks> => {
  const { key } = await seedWorkspace(service, { credits });
  return new CreativePacks({ apiKey: key, baseUrl: service.origin, ...options });
};

test("an answer is at hand with its request id and its window", async () => {
  const client = await clientWith(7);
  const { data, requestId, rateLimit, response } = await client.balance.get().withResponse();
  expect(data.credits.available).toBe(7);
  expect(requestId).toBe(response.headers.get("X-Request-ID"));
  expect(rateLimit?.remaining).toBeGreaterThan(0);
  expect(rateLimit?.resetsAt.getTime()).toBeGreaterThan(Date.now() - 60_000);
  const raw = await client.balance.get().asResponse();
  expect(JSON.parse(await raw.text())).toMatchObject({ data: await client.balance.get() });
});

test("a refusal says what to do, whose request it was and whether to try again", async () => {
  const client = await clientWith(0);
  const missing = client.jobs.get("0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71");
  await expect(missing).rejects.toBeInstanceOf(NotFoundError);
  await expect(missing).rejects.toMatchObject({
    status: 404,
    code: "JOB_NOT_FOUND",
    isRetryable: false,
    nextAction: "List the workspace's jobs and use one of their ids.",
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

test("an order that cannot be paid is an error that names what is required", async () => {
  const { key } = await seedWorkspace(service, { credits: 0 });
  const client = new CreativePacks({ apiKey: key, baseUrl: service.origin });
  const order = client.jobs.create({
    contractId: "display.v1",
    selectedSizeIds: ["iab-300x250"],
    assetIds: { logo: await uploadLogo(service, key) },
  });
  await expect(order).rejects.toBeInstanceOf(InsufficientCreditsError);
  await expect(order).rejects.toMatchObject({ details: { required: 1, available: 0 } });
});

test("a list is walked through to its end, page by page", async () => {
  const { key } = await seedWorkspace(service, { credits: 1, grants: 6 });
  const client = new CreativePacks({ apiKey: key, baseUrl: service.origin });
  const ids: string[] = [];
  for await (const event of client.usage.list({ limit: 3 })) ids.push(event.eventId);
  expect(ids).toHaveLength(7);
  expect(new Set(ids).size).toBe(7);
  const { items, nextBefore } = await client.usage.list({ limit: 3 }).firstPage();
  expect(items.map(({ eventId }) => eventId)).toEqual(ids.slice(0, 3));
  expect(nextBefore).toBe(ids[2]);
});
