/**
 * What automatic purchases may cost in a calendar month at most: only whole packs are bought, and no more credits than
 * the cap. `amount`: in the currency's minor unit.
 */
export function monthlyMost(
  pack: { readonly credits: number; readonly amount: number },
  creditsMax: number,
): { readonly purchases: number; readonly amount: number } {
  const purchases =
    pack.credits > 0 && Number.isFinite(creditsMax) ? Math.max(0, Math.floor(creditsMax / pack.credits)) : 0;
  return { purchases, amount: purchases * pack.amount };
}
