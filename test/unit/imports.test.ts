import { expect, it } from "vitest";
import { checkImports } from "../../scripts/check/imports.ts";

it("each room imports only from the rooms below it, and nouns know nothing of HTTP", async () => {
  const { isGood, detail } = await checkImports.run();
  expect(isGood, detail).toBe(true);
});
