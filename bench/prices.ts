/**
 * Cloudflare's published prices of the Workers Paid plan in US dollars, for usage beyond the included amounts. Read in
 * November 2026 at developers.cloudflare.com: workers/platform/pricing, d1/platform/pricing, r2/pricing,
 * queues/platform/pricing, durable-objects/platform/pricing and workers/observability/logs/workers-logs.
 */
export const PRICES = {
  readAt: "2026-11",
  perMonth: 5,
  perCpuMs: 0.02 / 1e6,
  perRequest: 0.3 / 1e6,
  perD1RowRead: 0.001 / 1e6,
  perD1RowWritten: 1 / 1e6,
  perD1GbMonth: 0.75,
  /** Write and list operations. */
  perR2ClassA: 4.5 / 1e6,
  /** Read operations. */
  perR2ClassB: 0.36 / 1e6,
  perR2GbMonth: 0.015,
  /** A message takes three operations: write, read and delete. */
  perQueueOperation: 0.4 / 1e6,
  perObjectRequest: 0.15 / 1e6,
  perObjectGbSecond: 12.5 / 1e6,
  perObjectRowWritten: 1 / 1e6,
  perLogLine: 0.6 / 1e6,
} as const;

/** Monthly usage included in the plan. */
export const INCLUDED = {
  cpuMs: 30e6,
  requests: 10e6,
  d1RowsRead: 25e9,
  d1RowsWritten: 50e6,
  d1GbMonths: 5,
  r2ClassA: 1e6,
  r2ClassB: 10e6,
  r2GbMonths: 10,
  queueOperations: 1e6,
  objectRequests: 1e6,
  objectGbSeconds: 400_000,
  objectRowsWritten: 50e6,
  logLines: 20e6,
} as const;
