import type { CreateJobRequest } from "#api/schemas/job.ts";
import type { Scope } from "#api/scopes.ts";
import { idsOf } from "#domains/assets/ready-inputs.ts";
import { assetsByIds } from "#domains/assets/store.ts";
import { type Destination, destinationById } from "#domains/deliveries/destination-store.ts";
import { type RecordAndFacts, recordByKey } from "#domains/idempotency/store.ts";
import type { JobPreconditions } from "#domains/jobs/preconditions.ts";
import { fullWindowOf, type JobWindowLimits, windowValues } from "#domains/jobs/preconditions.ts";
import { fullJobWindows } from "#domains/jobs/store.ts";
import { budgetOfKey } from "#domains/keys/budget-store.ts";
import type { ReadsBesideKey } from "#domains/keys/service.ts";
import { keyOfSecret, workspaceOfSecret } from "#domains/keys/store.ts";
import { accessByWorkspace, toPaidAccess } from "#domains/ledger/service.ts";
import { ownerByWorkspace } from "#domains/workspaces/confirmed-owner.ts";
import { latest } from "#platform/db/reader.ts";
import type { Preparer } from "#platform/db/statement.ts";
import { type BegunOrder, begunOrder } from "./order-imports.ts";

/** The scope for orders. */
export const ORDER_SCOPE: Scope = "jobs:write";

/** Fields of an order that determine which rows are read. */
export interface NamedInOrder extends Pick<CreateJobRequest, "assetIds" | "notify"> {
  readonly idempotencyKey: string;
}

/** This origin's rules for orders. */
export interface OrderRules {
  readonly windowLimits: JobWindowLimits;
  /** Whether the origin sends mail, so that the owner can and must confirm the address. */
  readonly needsConfirmedOwner: boolean;
}

/** Database state that decides whether an order is accepted. */
export interface OrderFacts {
  readonly preconditions: JobPreconditions;
  /** The webhook that `notify` names. */
  readonly destination: Destination | null;
  /** An order with this Idempotency-Key that an earlier request began and that is not accepted yet. */
  readonly begun: BegunOrder | null;
}

/** Queries for an order's facts, given the ids of the API key and its workspace. */
const READS = {
  record: recordByKey,
  assets: assetsByIds,
  access: accessByWorkspace,
  windows: fullJobWindows,
  owner: ownerByWorkspace,
  budget: budgetOfKey,
  destination: destinationById,
};

/** The same queries, given the secret of the API key. They return nothing for a key without the scope. */
const READS_OF_SECRET = {
  record: recordByKey.finding(workspaceOfSecret),
  assets: assetsByIds.finding(workspaceOfSecret),
  access: accessByWorkspace.finding(workspaceOfSecret),
  windows: fullJobWindows.finding(workspaceOfSecret),
  owner: ownerByWorkspace.finding(workspaceOfSecret),
  budget: budgetOfKey.finding(keyOfSecret),
  destination: destinationById.finding(workspaceOfSecret),
};

/**
 * An order's queries, for one batch: together with the lookup of the API key (`ofSecret`), or once the key is known
 * (`ofKey`).
 */
export interface OrderReads extends ReadsBesideKey {
  readonly ofKey: (
    db: Preparer,
    key: { readonly workspaceId: string; readonly apiKeyId: string },
  ) => readonly D1PreparedStatement[];
  /** Parses the results of `ofSecret` or `ofKey`. */
  readonly factsOf: (results: readonly D1Result[]) => RecordAndFacts<OrderFacts>;
}

export function orderReads(
  { idempotencyKey, assetIds, notify }: NamedInOrder,
  { windowLimits, needsConfirmedOwner }: OrderRules,
  nowMs: number,
): OrderReads {
  const named = {
    ...windowValues(windowLimits, nowMs),
    idempotencyKey,
    assetIds: JSON.stringify(idsOf(assetIds)),
    destinationId: notify?.destinationId ?? "",
    nowMs,
  };
  type Reads<Found> = {
    readonly [Name in keyof typeof READS]: {
      bind(db: Preparer, values: typeof named & Found): D1PreparedStatement;
    };
  };
  const bind = <Found>(reads: Reads<Found>, db: Preparer, found: Found) => {
    const { record, assets, access, windows, owner, budget, destination } = reads;
    const always = [record, assets, access, windows, owner, budget];
    const asked = notify === undefined ? always : [...always, destination];
    return asked.map((read) => read.bind(db, { ...named, ...found }));
  };
  return {
    ofSecret: (db, hashes) => bind(READS_OF_SECRET, db, { ...hashes, scope: ORDER_SCOPE }),
    ofKey: (db, { workspaceId, apiKeyId }) => bind(READS, db, { workspaceId, apiKeyId }),
    factsOf: ([record, assets, access, windows, owner, budget, destination]) => ({
      remembered: READS.record.row(record),
      facts: {
        preconditions: {
          assets: READS.assets.rows(assets),
          access: toPaidAccess(READS.access.row(access), nowMs),
          budget: READS.budget.row(budget),
          windowLimits,
          fullWindow: fullWindowOf(READS.windows.row(windows), windowLimits),
          needsConfirmedOwner,
          hasUnconfirmedOwner: READS.owner.row(owner)?.isUnconfirmed === 1,
        },
        destination: notify === undefined ? null : READS.destination.row(destination),
        begun: begunOrder(READS.record.row(record)),
      },
    }),
  };
}

/** Reads an order's facts in one round trip. */
export async function readOrder(
  db: D1Database,
  reads: OrderReads,
  key: { readonly workspaceId: string; readonly apiKeyId: string },
): Promise<RecordAndFacts<OrderFacts>> {
  const session = latest(db);
  return reads.factsOf(await session.batch([...reads.ofKey(session, key)]));
}
