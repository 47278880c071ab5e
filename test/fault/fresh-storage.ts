import { reset } from "cloudflare:test";
import { vi } from "vitest";
import { migrateAll } from "../support/homes.ts";

/** Empties all bindings, so that a test's sweeps handle only its own data. */
export async function freshStorage(): Promise<void> {
  await reset();
  await migrateAll();
}

/** Empties all bindings between two histories of one test, and resets the spies. */
export async function freshHistory(): Promise<void> {
  await freshStorage();
  vi.clearAllMocks();
}
