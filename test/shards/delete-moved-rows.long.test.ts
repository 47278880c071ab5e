import { beforeAll, beforeEach, it } from "vitest";
import { silenceLogs } from "../support/read-logs.ts";
import { withShards } from "../support/shards.ts";
import { askForMove, passMinute, stopClock, until } from "./move-harness.ts";

/** The rows that a move leaves behind are deleted a thousand at a time. Copying uses smaller pages. */

beforeAll(withShards);
beforeEach(silenceLogs);
beforeEach(stopClock);

it("six hundred packs with their rows are deleted within two sweeps", async () => {
  const workspaceId = await askForMove(600);
  await until(workspaceId, "emptying", undefined, 60);
  passMinute();
  await until(workspaceId, "done", undefined, 2);
});
