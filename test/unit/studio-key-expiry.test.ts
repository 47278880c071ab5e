import { expect, it } from "vitest";
import { keyEndMs } from "../../studio/src/api/session-key.ts";

/** A page keeps its key for the key's lifetime, however wrong the device's clock is. */

const HOUR_MS = 3_600_000;
const made = { createdAt: "2026-06-18T12:00:00.000Z", expiresAt: "2026-06-18T13:00:00.000Z" };

it.each([-24, -1, 0, 1, 24])("a key lasts an hour on a device whose clock is %i hours ahead", (hours) => {
  const askedAtMs = Date.parse(made.createdAt) + hours * HOUR_MS;
  expect(keyEndMs(made, askedAtMs) - askedAtMs).toBe(HOUR_MS);
});
