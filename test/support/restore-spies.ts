import { afterEach, vi } from "vitest";

/** Every spy of an integration test ends with the test: none stands in for a binding, a clock or a log in the next. */
afterEach(() => {
  vi.restoreAllMocks();
});
