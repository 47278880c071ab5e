/** One of some things, by chance. Throws where there are none. */
export function pickOne<T>(things: readonly T[]): T {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  const picked = things[random % things.length];
  if (picked === undefined) throw new Error("nothing to pick from");
  return picked;
}
