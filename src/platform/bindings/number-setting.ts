/** An operator's variable where it is a whole number above zero, else the default. */
export function overridden(variable: unknown, otherwise: number): number {
  const limit = Number(variable);
  return Number.isSafeInteger(limit) && limit > 0 ? limit : otherwise;
}
