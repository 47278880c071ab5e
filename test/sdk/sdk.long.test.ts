import { afterAll, beforeAll, describe } from "vitest";
import { faults } from "./clauses/faults.ts";
import { packaged } from "./clauses/package.ts";
import { startWorld, type World } from "./support/world.ts";

/** Like sdk.test.ts, for the package in an empty folder and for network faults. */

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.service.stop());

describe("the package", () => packaged(() => world));
describe("faults", () => faults(() => world));
