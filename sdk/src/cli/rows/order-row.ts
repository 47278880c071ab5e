import type { CreativePacks, Pack, PackRequest, RequestOptions } from "../../index.ts";
import type { Journal, RowState } from "./journal.ts";
import { orderKey } from "./row-hash.ts";

/** Maximum orders per row, including failed ones. */
const ORDERS_MAX = 20;

export interface OrderedPack {
  readonly pack: Pack;
  readonly attempt: number;
  /** Whether this run paid for it. */
  readonly isPaidNow: boolean;
}

/**
 * Returns the pack of a row: an earlier order, or a new one. If an order has failed (and was refunded), the row is
 * ordered again with the next key. Each order is written to the journal as soon as it is created.
 */
export async function orderRow(
  client: CreativePacks,
  journal: Journal,
  row: string,
  request: () => Promise<PackRequest>,
  options: RequestOptions,
): Promise<OrderedPack> {
  const known = journal.find(row);
  const earlier = known === null ? null : await findEarlier(client, known, options);
  if (earlier !== null) return earlier;
  const wanted = await request();
  for (let attempt = known === null ? 0 : known.attempt + 1; attempt < ORDERS_MAX; attempt += 1) {
    const startedAt = Date.now();
    const pack = await client.packs.create(
      { ...wanted, reuse: true },
      { ...options, idempotencyKey: orderKey(wanted, attempt) },
    );
    await journal.append({ row, jobId: pack.id, state: "ordered", attempt });
    if (!hasFailed(pack)) return { pack, attempt, isPaidNow: !pack.isReused && isNew(pack, startedAt) };
  }
  throw new Error(`A row was ordered ${ORDERS_MAX} times and failed each time.`);
}

/** The order of an earlier run; null if it failed or was canceled. */
async function findEarlier(
  client: CreativePacks,
  { jobId, attempt }: RowState,
  options: RequestOptions,
): Promise<OrderedPack | null> {
  const pack = await client.packs.get(jobId, options);
  return hasFailed(pack) ? null : { pack, attempt, isPaidNow: false };
}

const hasFailed = ({ status }: Pack): boolean => status === "failed" || status === "canceled";

/**
 * Tolerance for wrong clocks. A job that is older than the call was found by its idempotency key, so this run did not
 * pay for it.
 */
const CLOCK_MS = 5_000;
const isNew = ({ job }: Pack, startedAt: number): boolean =>
  Date.parse(job.createdAt) >= startedAt - CLOCK_MS;
