import { afterEach, expect, it, vi } from "vitest";
import { askOrRecall } from "../../studio/src/api/last-answer.ts";

afterEach(() => vi.unstubAllGlobals());

it("returns an answer that the browser's storage is too full to keep", async () => {
  const setItem = () => {
    throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
  };
  vi.stubGlobal("localStorage", { setItem, getItem: () => null });
  expect(await askOrRecall("service", async () => "an answer")).toBe("an answer");
});
