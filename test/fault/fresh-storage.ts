import { reset } from "cloudflare:test";
import { migrateAll } from "../support/homes.ts";

/** Empties all bindings, so that the sweeps of a test find nothing but its own. */
export async function freshStorage(): Promise<void> {
  await reset();
  await migrateAll();
}
