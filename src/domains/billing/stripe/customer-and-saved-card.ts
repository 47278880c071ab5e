import { z } from "zod";
import { accept, type Outcome } from "#api/errors.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import { latest } from "#platform/db/reader.ts";
import { customerByWorkspace, deleteCustomer, insertCustomer } from "./customer-store.ts";
import { askStripe, type StripeLibrary } from "./stripe-library.ts";
import { reference } from "./stripe-objects.ts";

/** The customer of a workspace at the provider, or null before it has bought anything. */
export const findCustomer = async (db: D1Database, workspaceId: string): Promise<string | null> =>
  (await customerByWorkspace.first(latest(db), { workspaceId }))?.customerId ?? null;

/** Who a customer is made for. */
export interface NewCustomer {
  readonly workspaceId: string;
  /** Of the person who buys: where the provider writes to. */
  readonly email: string;
  readonly nowMs: number;
}

/**
 * The customer of a workspace, made at the first purchase. Two purchases at once make one: the provider gives both the
 * same by its idempotency key, and the first row stays. A known one that the provider no longer has (it was deleted
 * there, or the origin was turned from test to live) is replaced.
 */
export async function ensureCustomer(
  db: D1Database,
  library: StripeLibrary,
  customer: NewCustomer,
): Promise<Outcome<string>> {
  const { workspaceId, email, nowMs } = customer;
  const known = await findCustomer(db, workspaceId);
  if (known !== null) {
    const isThere = await askStripe(library, () => isCustomerThere(library, known));
    if (!isThere.ok) return isThere;
    if (isThere.value) return accept(known);
    await deleteCustomer.run(db, { workspaceId, customerId: known });
  }
  const cause = await sha256Hex(`${known ?? ""}\n${email}`);
  const made = await askStripe(library, () =>
    library.client.customers.create(
      { email, metadata: { workspaceId } },
      { idempotencyKey: `customer:${workspaceId}:${cause}` },
    ),
  );
  if (!made.ok) return made;
  await insertCustomer.run(db, { workspaceId, customerId: made.value.id, createdAt: nowMs });
  const kept = await findCustomer(db, workspaceId);
  return accept(kept ?? made.value.id);
}

/** What was asked for, or null where the provider no longer has it. */
async function findAtProvider<T>({ errors }: StripeLibrary, ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (thrown) {
    if (thrown instanceof errors.StripeInvalidRequestError && thrown.code === "resource_missing") return null;
    throw thrown;
  }
}

async function isCustomerThere(library: StripeLibrary, customerId: string): Promise<boolean> {
  const found = await findAtProvider(library, () => library.client.customers.retrieve(customerId));
  return found !== null && found.deleted !== true;
}

const settings = z.object({
  invoice_settings: z.object({ default_payment_method: reference.nullish() }).nullish(),
});

/**
 * The id of the card that a customer has let the provider save: the default for invoices, else the newest; null where there
 * is none, or no such customer.
 */
export const findSavedCard = (library: StripeLibrary, customerId: string): Promise<string | null> =>
  findAtProvider(library, async () => {
    const { customers, paymentMethods } = library.client;
    const customer = await customers.retrieve(customerId);
    if (customer.deleted === true) return null;
    const chosen = settings.parse(customer).invoice_settings?.default_payment_method ?? null;
    if (chosen !== null) return chosen;
    const { data } = await paymentMethods.list({ customer: customerId, type: "card", limit: 1 });
    return data[0]?.id ?? null;
  });
