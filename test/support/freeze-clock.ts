import { vi } from "vitest";
import { clock } from "#platform/clock.ts";

/** Holds the time still until the test has ended: requests are counted in fixed windows, of which none may end in the middle of it. */
export const freezeClock = (): void => {
  vi.spyOn(clock, "now").mockReturnValue(Date.now());
};
