/** A member of JSON that no plain object can be given by assignment: parsers of shapes leave it out. */
const PROTO = "__proto__";
/** Stands for it among names, so that it is refused as the unknown one that it is. */
const PROTO_NAME = "__proto__ ";

/** The unknown name as the request has it. */
export const requestedName = (name: string): string => (name === PROTO_NAME ? PROTO : name);

/** The object with `__proto__` among its members as any other; whatever else it is, as it is. */
export function nameProto(members: unknown): unknown {
  if (typeof members !== "object" || members === null || !Object.hasOwn(members, PROTO)) return members;
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name === PROTO ? PROTO_NAME : name, value]),
  );
}
