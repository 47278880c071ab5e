import { afterAll, beforeAll, describe } from "vitest";
import { faults } from "./clauses/faults.ts";
import { packaged } from "./clauses/package.ts";
import { startWorld, type World } from "./support/world.ts";

/** The rest of sdk.test.ts: the package in an empty folder, and network faults. */

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.service.stop());

describe("the package", () => packaged(() => world));
describe("faults", () => faults(() => world));
