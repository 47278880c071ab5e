import { z } from "zod";
import { accept, type Outcome } from "#api/errors.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import { latest } from "#platform/db/reader.ts";
import { customerByWorkspace, deleteCustomer, insertCustomer } from "./customer-store.ts";
import { askStripe, type StripeLibrary } from "./stripe-library.ts";
import { reference } from "./stripe-objects.ts";

/** The workspace's customer at the provider, or null before its first purchase. */
export const findCustomer = async (db: D1Database, workspaceId: string): Promise<string | null> =>
  (await customerByWorkspace.first(latest(db), { workspaceId }))?.customerId ?? null;

export interface NewCustomer {
  readonly workspaceId: string;
  /** The buyer's address, for the provider's mails. */
  readonly email: string;
  readonly nowMs: number;
}

/**
 * The workspace's customer, created at the first purchase. Concurrent purchases create only one customer: the
 * idempotency key makes the provider return the same one, and the first row stays. A customer that the provider no
 * longer has (deleted there, or after a switch from test to live) is replaced.
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

/** The requested object, or null when the provider no longer has it. */
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

/** The id of a customer's saved card: the default for invoices, else the newest; null without a card or customer. */
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
