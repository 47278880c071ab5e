import { expect, it } from "vitest";
import { heldJob } from "../support/held-jobs.ts";
import { jobIn } from "../support/jobs.ts";
import { call } from "../support/workspace.ts";

it("API §4.35 says when to ask again until the job has ended, and then no more", async () => {
  const { client, jobId } = await heldJob();
  const path = `/api/v1/jobs/${jobId}`;
  expect((await call("GET", path, { secret: client.secret })).headers.get("Retry-After")).toBe("2");
  await call("POST", `${path}/cancel`, { secret: client.secret });
  const ended = await call("GET", path, { secret: client.secret });
  expect([jobIn(ended).status, ended.headers.get("Retry-After")]).toEqual(["canceled", null]);
});
