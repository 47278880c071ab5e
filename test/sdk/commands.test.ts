import { afterAll, beforeAll, describe } from "vitest";
import { commands } from "./clauses/commands.ts";
import { startWorld, type World } from "./support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.service.stop());

describe("creative-packs", () => commands(() => world));
