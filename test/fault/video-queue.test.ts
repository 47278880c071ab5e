import { beforeEach, expect, it } from "vitest";
import { exhaust } from "../support/jobs.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { callerWithLogo, newJob, readJobStatus } from "./client.ts";
import { freshStorage } from "./fresh-storage.ts";
import { quietWorld, World } from "./world.ts";

beforeEach(freshStorage);
const START_MS = Date.parse("2035-06-01T00:00:00.000Z");
const VIDEO = {
  contractId: "social.v2",
  selectedSizeIds: ["tiktok-640x640", "linkedin-720x900"],
  motion: "animated",
  outputFormat: "mp4",
};

const jobIdsIn = (world: World, queue: "render" | "videos") =>
  world.queues[queue].map(({ body }) => (body as { jobId: string }).jobId);

/** A workspace with a logo and a video order. The order's messages stay in the queue. */
async function callerWithVideo(world: World) {
  const caller = await callerWithLogo(world, { credits: 20 });
  return { ...caller, jobId: await newJob(world, caller, VIDEO, "video") };
}

it("a still is drawn while every part of an earlier video waits", async () => {
  const world = quietWorld(START_MS);
  const video = await callerWithVideo(world);
  const still = { ...video, jobId: await newJob(world, video, {}, "still") };
  expect(jobIdsIn(world, "render")).toEqual([still.jobId]);
  expect(jobIdsIn(world, "videos")).toEqual([video.jobId, video.jobId]);
  await world.drain();
  expect(await readJobStatus(world, still)).toBe("succeeded");
  expect(await readJobStatus(world, video)).toBe("queued");
});

it.each([
  ["sent to the queue of videos again", {}, "videos"],
  [
    "sent to the render queue if no queue of videos is configured any more",
    { VIDEO_QUEUE: undefined },
    "render",
  ],
] as const)("lost messages of a video are %s", async (_, settings, queue) => {
  const { jobId } = await callerWithVideo(quietWorld(START_MS));
  const later = new World(START_MS + 20 * 60_000, settings);
  await later.sweep();
  expect(jobIdsIn(later, queue)).toEqual([jobId, jobId]);
  expect(jobIdsIn(later, queue === "videos" ? "render" : "videos")).toEqual([]);
});

it("a video counts in its workspace's share like a still, and is sent to the queue of videos", async () => {
  silenceLogs();
  const world = new World(START_MS, { RENDER_MESSAGES_QUEUED: "2" });
  const caller = await callerWithLogo(world, { credits: 20 });
  const first = await newJob(world, caller, {}, "still");
  const video = await newJob(world, caller, VIDEO, "video");
  expect([jobIdsIn(world, "render"), jobIdsIn(world, "videos")]).toEqual([[first], []]);
  await world.deliverAt(0);
  expect([jobIdsIn(world, "render"), jobIdsIn(world, "videos")]).toEqual([[], [video, video]]);
});

it("a dead letter of the queue of videos ends its job", async () => {
  const world = quietWorld(START_MS);
  const video = await callerWithVideo(world);
  await exhaust(video.jobId, 0);
  for (const message of world.queues.videos.splice(0)) {
    expect(await world.deliver(message, "creative-packs-videos-dead")).toBe(true);
  }
  expect(await readJobStatus(world, video)).toBe("failed");
});
