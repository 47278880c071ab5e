import { reset } from "cloudflare:test";
import { vi } from "vitest";
import { migrateAll } from "../support/homes.ts";

/** Empties all bindings, so that the sweeps of a test find nothing but its own. */
export async function freshStorage(): Promise<void> {
  await reset();
  await migrateAll();
}

/** The same between the histories of one test, whose spies would otherwise keep every call. */
export async function freshHistory(): Promise<void> {
  await freshStorage();
  vi.clearAllMocks();
}
