import { afterAll, beforeAll, describe } from "vitest";
import { calls } from "./clauses/calls.ts";
import { faults } from "./clauses/faults.ts";
import { packaged } from "./clauses/package.ts";
import { packs } from "./clauses/packs.ts";
import { uploads } from "./clauses/uploads.ts";
import { startWorld, type World } from "./support/world.ts";

/** The client library against the built worker. One worker for all clauses: its start takes longer than most of them. */

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.service.stop());

describe("calls", () => calls(() => world));
describe("uploads", () => uploads(() => world));
describe("packs", () => packs(() => world));
describe("the package", () => packaged(() => world));
describe("faults", () => faults(() => world));
