import { vi } from "vitest";
import { clock } from "#platform/clock.ts";

/** Freezes the time until the test has ended, so that no rate limit's window ends during it. */
export const freezeClock = (): void => {
  vi.spyOn(clock, "now").mockReturnValue(Date.now());
};
