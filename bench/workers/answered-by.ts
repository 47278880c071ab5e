/** A binding whose calls are led through other code: counted, made to wait, or broken off. */

/** `proceed` calls the real method, with other parameters where they are given. */
type Answer = (method: string, parameters: unknown[], proceed: (changed?: unknown[]) => unknown) => unknown;

/** The same object, except that its methods are answered by `answer`, which may go on to the real one. */
export function answeredBy<T extends object>(target: T, answer: Answer): T {
  return new Proxy(target, {
    get(_, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function" || typeof name !== "string") return member;
      return (...parameters: unknown[]) =>
        answer(name, parameters, (changed = parameters) => Reflect.apply(member, target, changed));
    },
  });
}

export const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
