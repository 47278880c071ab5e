/**
 * Tables. Times are Unix milliseconds. Ids are UUIDv7 text. JSON is text.
 * STRICT and the ledger's triggers are added by hand in the migrations, because drizzle-kit knows neither.
 */
export * from "./accounts.ts";
export * from "./artifacts.ts";
export * from "./assets.ts";
export * from "./audit.ts";
export * from "./billing.ts";
export * from "./brands.ts";
export * from "./deliveries.ts";
export * from "./directory.ts";
export * from "./guards.ts";
export * from "./idempotency.ts";
export * from "./jobs.ts";
export * from "./keys.ts";
export * from "./ledger.ts";
export * from "./mail.ts";
export * from "./operations.ts";
export * from "./pack-files.ts";
export * from "./previews.ts";
export * from "./shares.ts";
export * from "./usage.ts";
export * from "./workspaces.ts";
