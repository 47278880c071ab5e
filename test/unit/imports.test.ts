import { expect, it } from "vitest";
import { checkImports } from "../../scripts/check/imports.ts";

it("each module imports only from the modules below it, and no domain imports the HTTP library", async () => {
  const { isGood, detail } = await checkImports.run();
  expect(isGood, detail).toBe(true);
});
