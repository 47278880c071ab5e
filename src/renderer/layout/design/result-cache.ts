interface Known<K, V> {
  readonly key: K;
  readonly value: V;
}

/** Results by the numbers that most keys differ in, then by comparison: a key as text would cost more than the result. */
export class ResultCache<K, V> {
  readonly #known = new Map<number, Known<K, V>[]>();
  readonly #isSame: (one: K, other: K) => boolean;

  constructor(isSame: (one: K, other: K) => boolean) {
    this.#isSame = isSame;
  }

  /** `at` is any sum of the key's numbers: keys that share it are compared one by one. */
  get(at: number, key: K, make: () => V): V {
    const alike = this.#known.get(at);
    if (alike !== undefined) for (const known of alike) if (this.#isSame(known.key, key)) return known.value;
    const known = { key, value: make() };
    if (alike === undefined) this.#known.set(at, [known]);
    else alike.push(known);
    return known.value;
  }
}
