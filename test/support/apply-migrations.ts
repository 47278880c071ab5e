import { migrateAll } from "./homes.ts";

await migrateAll();
