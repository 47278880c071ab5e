import { expect } from "vitest";
import { postAs, type Studio, type Visitor } from "./studio.ts";

/** A row of the ledger as the API tells it. */
interface LedgerRow {
  readonly type: string;
  readonly amount: number;
}

/** What the workspace's ledger says, newest first, asked for with a key of the visitor's session. */
export async function ledgerOf(
  studio: Studio,
  visitor: Visitor,
  workspaceId: string,
): Promise<readonly LedgerRow[]> {
  const made = await postAs(studio, visitor, `workspaces/${workspaceId}/session-key`);
  expect(made.status()).toBe(201);
  const { data: key } = await made.json();
  const told = await visitor.context.request.get("/api/v1/usage", {
    headers: { Authorization: `Bearer ${key.secret}` },
  });
  expect(told.status()).toBe(200);
  return (await told.json()).data.items;
}

/** Every charge of the ledger that was not paid back, in credits. */
export const chargesOf = (rows: readonly LedgerRow[]): readonly number[] =>
  rows.filter(({ type }) => type !== "grant").map(({ amount }) => amount);
