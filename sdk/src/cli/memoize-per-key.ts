/** Memoizes promises per key. A rejected promise is removed, so that the next caller retries. */
export function memoizePerKey<T>(
  known: Map<string, Promise<T>>,
  key: string,
  make: () => PromiseLike<T>,
): Promise<T> {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = Promise.resolve(make());
  known.set(key, made);
  made.catch(() => known.delete(key));
  return made;
}
