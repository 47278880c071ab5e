import { afterEach, vi } from "vitest";

/** Restores every spy of an integration test at its end, so that none affects the next test. */
afterEach(() => {
  vi.restoreAllMocks();
});
