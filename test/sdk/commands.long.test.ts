import { afterAll, beforeAll, describe } from "vitest";
import { commands } from "./clauses/commands.ts";
import { startWorld, type World } from "./support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.service.stop());

// Each test has its own workspace and folder, and mostly waits for jobs.
describe.concurrent("creative-packs", () => commands(() => world));
