import { beforeAll, beforeEach, it } from "vitest";
import { silenceLogs } from "../support/read-logs.ts";
import { withShards } from "../support/shards.ts";
import { askForMove, passMinute, stopClock, until } from "./asked-move.ts";

/** Guarantee: the rows that a move leaves behind are deleted a thousand at a time, not as few as they are copied. */

beforeAll(withShards);
beforeEach(silenceLogs);
beforeEach(stopClock);

it("six hundred packs with all other rows are gone within two runs of the sweep", async () => {
  const workspaceId = await askForMove(600);
  await until(workspaceId, "emptying", undefined, 60);
  passMinute();
  await until(workspaceId, "done", undefined, 2);
});
