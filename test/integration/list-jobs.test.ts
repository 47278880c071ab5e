import { expect, it, vi } from "vitest";
import type { z } from "zod";
import { jobPageSchema } from "#api/schemas/job.ts";
import { clock } from "#platform/clock.ts";
import { execute } from "../support/database.ts";
import { heldJob } from "../support/held-jobs.ts";
import {
  acceptedJob,
  type Client,
  cancel,
  deliver,
  holdQueue,
  jobIn,
  readJob,
  workspaceWithLogo,
} from "../support/jobs.ts";
import { call } from "../support/workspace.ts";

async function list(client: Pick<Client, "secret">, query = ""): Promise<z.infer<typeof jobPageSchema>> {
  const answer = await call("GET", `/api/v1/jobs${query}`, { secret: client.secret });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return jobPageSchema.parse((answer.body as { data: unknown }).data);
}

const idsIn = (page: { items: { jobId: string }[] }): string[] => page.items.map((job) => job.jobId);

it("a list has every job of the workspace once, newest first, even jobs of the same millisecond", async () => {
  holdQueue();
  const client = await workspaceWithLogo();
  const nowMs = clock.now();
  vi.spyOn(clock, "now").mockReturnValue(nowMs);
  const created: string[] = [];
  for (let count = 0; count < 5; count += 1) created.push((await acceptedJob(client)).jobId);
  vi.mocked(clock.now).mockRestore();

  const seen: string[] = [];
  let query = "?limit=2";
  for (let page = 0; page < 3; page += 1) {
    const { items, nextBefore } = await list(client, query);
    seen.push(...items.map((job) => job.jobId));
    if (nextBefore === null) break;
    query = `?limit=2&before=${encodeURIComponent(nextBefore)}`;
  }
  expect(seen).toEqual(created.reverse());
});

it("a list filtered by fingerprint has only reusable jobs", async () => {
  holdQueue();
  const client = await workspaceWithLogo();
  const canceled = await acceptedJob(client);
  await cancel(client.secret, canceled.jobId);
  const finished = await acceptedJob(client);
  await deliver({ jobId: finished.jobId, part: 0 });
  const queued = await acceptedJob(client);
  await acceptedJob(client, { outputFormat: "jpg" });
  const query = `?renderFingerprint=${queued.renderFingerprint}`;
  expect(idsIn(await list(client, query))).toEqual([queued.jobId, finished.jobId]);
  expect(idsIn(await list(client, `${query}&status=succeeded`))).toEqual([finished.jobId]);

  // Expired files cannot be reused.
  const endsMs = clock.now() + 1_000;
  await execute`UPDATE artifacts SET expires_at = ${endsMs} WHERE job_id = ${finished.jobId}`;
  const now = vi.spyOn(clock, "now").mockReturnValue(endsMs - 1);
  expect(idsIn(await list(client, query))).toEqual([queued.jobId, finished.jobId]);
  now.mockReturnValue(endsMs);
  expect(idsIn(await list(client, query))).toEqual([queued.jobId]);
});

it("API §4.31 a list omits overrides, which may be large; the job itself has them", async () => {
  holdQueue();
  const client = await workspaceWithLogo();
  const overrides = { "iab-728x90": { copy: { headline: "Two wheels" } } };
  const { jobId } = await acceptedJob(client, { selectedSizeIds: ["iab-300x250", "iab-728x90"], overrides });
  const { items } = await list(client);
  expect(items.map((item) => [item.jobId, "overrides" in item])).toEqual([[jobId, false]]);
  expect((await readJob(client.secret, jobId)).overrides).toEqual(overrides);
});

it("API §4.35 a job is returned with Retry-After until it has ended", async () => {
  const { client, jobId } = await heldJob();
  const path = `/api/v1/jobs/${jobId}`;
  expect((await call("GET", path, { secret: client.secret })).headers.get("Retry-After")).toBe("2");
  await cancel(client.secret, jobId);
  const ended = await call("GET", path, { secret: client.secret });
  expect([jobIn(ended).status, ended.headers.get("Retry-After")]).toEqual(["canceled", null]);
});
