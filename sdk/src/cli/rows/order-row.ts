import type { CreativePacks, Pack, PackRequest, RequestOptions } from "../../index.ts";
import type { Journal, RowState } from "./journal.ts";
import { orderKey } from "./row-hash.ts";

/** Orders of one row, failed ones included, before it is given up. */
const ORDERS_MAX = 20;

export interface OrderedPack {
  readonly pack: Pack;
  readonly attempt: number;
  /** Whether this run paid for it. */
  readonly isPaidNow: boolean;
}

/**
 * The pack of a row: one that was ordered before, or a new order. An order that failed was given back, so a later run
 * orders anew, under the next key. Each order is in the journal before it is waited for.
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

/** The order of an earlier run; null where it failed, or is gone. */
async function findEarlier(
  client: CreativePacks,
  { jobId, attempt }: RowState,
  options: RequestOptions,
): Promise<OrderedPack | null> {
  const pack = await client.packs.get(jobId, options);
  return hasFailed(pack) ? null : { pack, attempt, isPaidNow: false };
}

const hasFailed = ({ status }: Pack): boolean => status === "failed" || status === "canceled";

/** An order that was answered from an earlier one is as old as that. Clocks differ by a little. */
const CLOCK_MS = 5_000;
const isNew = ({ job }: Pack, startedAt: number): boolean =>
  Date.parse(job.createdAt) >= startedAt - CLOCK_MS;
