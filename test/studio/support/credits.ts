import { expect } from "vitest";
import { postAs, type Studio, type Visitor } from "./studio.ts";

/** A ledger entry from the API. */
interface LedgerRow {
  readonly type: string;
  readonly amount: number;
}

/** The workspace's ledger, newest first, read with a key of the visitor's session. */
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

/** Amounts of all ledger entries except grants, in credits. */
export const amountsExceptGrants = (rows: readonly LedgerRow[]): readonly number[] =>
  rows.filter(({ type }) => type !== "grant").map(({ amount }) => amount);
