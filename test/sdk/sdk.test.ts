import { afterAll, beforeAll, describe } from "vitest";
import { calls } from "./clauses/calls.ts";
import { packs } from "./clauses/packs.ts";
import { uploads } from "./clauses/uploads.ts";
import { startWorld, type World } from "./support/world.ts";

/**
 * The SDK against the built worker. One worker serves all clauses, because starting it takes longer than most of them.
 * The package and network faults are in sdk.long.test.ts.
 */

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.service.stop());

describe("calls", () => calls(() => world));
describe("uploads", () => uploads(() => world));
describe("packs", () => packs(() => world));
