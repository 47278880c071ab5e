import { afterEach, describe, expect, it, vi } from "vitest";
import { acceptedJob, holdQueue, jobIn, workspaceWithLogo } from "../support/jobs.ts";
import { call, createWorkspace } from "../support/workspace.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a job is read by its own workspace alone", () => {
  it("shows what the creation showed", async () => {
    holdQueue();
    const client = await workspaceWithLogo();
    const created = await acceptedJob(client);
    const answer = await call("GET", `/api/v1/jobs/${created.jobId}`, { secret: client.secret });
    expect(answer.status).toBe(200);
    expect(jobIn(answer)).toEqual(created);
  });

  it("API §4.35 says when to ask again until the job has ended, and then no more", async () => {
    holdQueue();
    const client = await workspaceWithLogo();
    const { jobId } = await acceptedJob(client);
    const path = `/api/v1/jobs/${jobId}`;
    const open = await call("GET", path, { secret: client.secret });
    expect(open.headers.get("Retry-After")).toBe("2");
    await call("POST", `${path}/cancel`, { secret: client.secret });
    const ended = await call("GET", path, { secret: client.secret });
    expect([jobIn(ended).status, ended.headers.get("Retry-After")]).toEqual(["canceled", null]);
  });

  it("400 for an id that is none", async () => {
    const client = await createWorkspace({ credits: 1 });
    const { status, body } = await call("GET", "/api/v1/jobs/first", { secret: client.secret });
    expect(status).toBe(400);
    expect(body.error?.details.issues).toEqual([{ in: "path", path: "jobId", message: "must be a UUID" }]);
  });
});
