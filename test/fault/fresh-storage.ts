import { reset } from "cloudflare:test";
import { vi } from "vitest";
import { migrateAll } from "../support/homes.ts";

/** Empties all bindings, so that a test's sweeps find only its own data. */
export async function freshStorage(): Promise<void> {
  await reset();
  await migrateAll();
}

/** The same between histories of one test; also resets its spies. */
export async function freshHistory(): Promise<void> {
  await freshStorage();
  vi.clearAllMocks();
}
