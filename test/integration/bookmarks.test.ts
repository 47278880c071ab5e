import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { newId } from "#platform/ids.ts";
import { heldJob } from "../support/held-jobs.ts";
import { jobIn } from "../support/jobs.ts";
import { call } from "../support/workspace.ts";

/** The local database has no replicas, so these tests check which state each session requests. */

const HEADER = "X-D1-Bookmark";
const BOOKMARK = "00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683";

/** Records the constraint of each database session that is opened from now on. */
function begunSessions(): () => unknown[] {
  const spy = vi.spyOn(env.DB, "withSession");
  return () => spy.mock.calls.map(([constraint]) => constraint);
}

async function withJob() {
  const { client, jobId } = await heldJob();
  await call("GET", `/api/v1/jobs/${jobId}`, { secret: client.secret });
  const get = (path: string, bookmark?: string) =>
    call("GET", path, {
      secret: client.secret,
      headers: bookmark === undefined ? {} : { [HEADER]: bookmark },
    });
  return { client, jobId, get };
}

describe("without a bookmark", () => {
  it("a poll may read any replica", async () => {
    const { jobId, get } = await withJob();
    const sessions = begunSessions();
    expect((await get(`/api/v1/jobs/${jobId}`)).status).toBe(200);
    expect(sessions()).toEqual(["first-unconstrained"]);
  });

  it("a resource missing from a replica is looked up in the primary before a 404", async () => {
    const { get } = await withJob();
    const sessions = begunSessions();
    expect((await get(`/api/v1/jobs/${newId()}`)).status).toBe(404);
    expect((await get(`/api/v1/artifacts/${newId()}`)).status).toBe(404);
    expect(sessions()).toEqual([
      "first-unconstrained",
      "first-primary",
      "first-unconstrained",
      "first-primary",
    ]);
  });

  it.each(["/api/v1/jobs", "/api/v1/assets"])("GET %s reads the latest state", async (path) => {
    const { get } = await withJob();
    const sessions = begunSessions();
    expect((await get(path)).status).toBe(200);
    expect(sessions()).toEqual(["first-primary"]);
  });
});

describe("API §15.7 with the bookmark of an earlier answer", () => {
  it("every replica read requests that state", async () => {
    const { client, jobId, get } = await withJob();
    const sessions = begunSessions();
    const paths = ["/jobs", `/jobs/${jobId}`, "/assets", `/assets/${client.logoId}`];
    for (const path of paths) expect((await get(`/api/v1${path}`, BOOKMARK)).status).toBe(200);
    expect(sessions()).toEqual(paths.map(() => BOOKMARK));
  });

  it("money and keys are read from the primary", async () => {
    const { get } = await withJob();
    const sessions = begunSessions();
    await get("/api/v1/balance", BOOKMARK);
    await get("/api/v1/usage", BOOKMARK);
    expect(sessions().filter((constraint) => constraint !== "first-primary")).toEqual([]);
  });

  it("an unknown bookmark causes a second read, not an error", async () => {
    const { jobId, get } = await withJob();
    const begin = env.DB.withSession.bind(env.DB);
    vi.spyOn(env.DB, "withSession").mockImplementation((constraint) => {
      if (constraint === BOOKMARK) throw new Error("D1_ERROR: bookmark is ahead of the database");
      return begin(constraint);
    });
    expect((await get(`/api/v1/jobs/${jobId}`, BOOKMARK)).status).toBe(200);
  });

  it.each(["", "latest", `${BOOKMARK}0`, BOOKMARK.toUpperCase()])("400 for %j", async (bookmark) => {
    const { jobId, get } = await withJob();
    const answer = await get(`/api/v1/jobs/${jobId}`, bookmark);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toContain("x-d1-bookmark");
  });
});

it("answers about a created, canceled and read job carry a usable bookmark", async () => {
  const { client, jobId, get } = await withJob();
  const path = `/api/v1/jobs/${jobId}`;
  const canceled = await call("POST", `${path}/cancel`, { secret: client.secret });
  const bookmark = canceled.headers.get(HEADER);
  expect(bookmark).toMatch(/^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/);
  const read = await get(path, bookmark ?? "");
  expect(jobIn(read).status).toBe("canceled");
  expect(read.headers.get(HEADER)).not.toBeNull();
});
