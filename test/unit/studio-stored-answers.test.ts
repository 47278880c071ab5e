import { afterEach, expect, it, vi } from "vitest";
import { fetchOrRestore } from "../../studio/src/api/stored-answers.ts";

afterEach(() => vi.unstubAllGlobals());

it("an answer is returned even if the browser's storage is too full to store it", async () => {
  const setItem = () => {
    throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
  };
  vi.stubGlobal("localStorage", { setItem, getItem: () => null });
  expect(await fetchOrRestore("service", async () => "an answer")).toBe("an answer");
});
