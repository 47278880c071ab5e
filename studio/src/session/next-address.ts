/**
 * Where a person goes on once signed in, over the way to a provider and back, which ends at `/`. Kept for this tab alone.
 */
const KEPT = "creative-packs.next";

/** Keeps an address of this origin, or that there is none. */
export function keepNext(address: string | undefined): void {
  if (address === undefined) sessionStorage.removeItem(KEPT);
  else sessionStorage.setItem(KEPT, address);
}

/** The address that was kept, once; null for none. */
export function takeNext(): string | null {
  const address = sessionStorage.getItem(KEPT);
  sessionStorage.removeItem(KEPT);
  return address;
}
