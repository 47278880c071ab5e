/** What `make` returns for an object: made at its first use, and kept for as long as the object is. */
export function oncePer<Owner extends object, Made extends object>(
  make: (owner: Owner) => Made,
): (owner: Owner) => Made {
  const madeFor = new WeakMap<Owner, Made>();
  return (owner) => {
    const known = madeFor.get(owner);
    if (known !== undefined) return known;
    const made = make(owner);
    madeFor.set(owner, made);
    return made;
  };
}
