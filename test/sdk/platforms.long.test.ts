import { afterAll, beforeAll, describe } from "vitest";
import { platforms } from "./clauses/platforms.ts";
import { startWorld, type World } from "./support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.service.stop());

describe("the package on every platform", () => platforms(() => world));
