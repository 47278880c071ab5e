/**
 * Cloudflare's published prices of the Workers Paid plan in US dollars, beyond what the plan includes; read in
 * November 2026 at developers.cloudflare.com: workers/platform/pricing, d1/platform/pricing, r2/pricing,
 * queues/platform/pricing and durable-objects/platform/pricing.
 */
export const PRICES = {
  readAt: "2026-11",
  perCpuMs: 0.02 / 1e6,
  perRequest: 0.3 / 1e6,
  perD1RowWritten: 1 / 1e6,
  /** Writes and listings. */
  perR2ClassA: 4.5 / 1e6,
  /** Reads. */
  perR2ClassB: 0.36 / 1e6,
  /** A message is written, read and deleted: three operations. */
  perQueueOperation: 0.4 / 1e6,
  perObjectRequest: 0.15 / 1e6,
} as const;
