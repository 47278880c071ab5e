/**
 * The tables. Times are Unix milliseconds, ids are UUIDv7 text, JSON is text. Migrations add STRICT and the triggers by
 * hand, because drizzle-kit supports neither.
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
export * from "./images.ts";
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
