/** Wraps a binding so that its calls can be counted, delayed or aborted. */

/** `proceed` calls the real method, optionally with other parameters. */
type Answer = (method: string, parameters: unknown[], proceed: (changed?: unknown[]) => unknown) => unknown;

/** Returns a proxy of `target` whose method calls are answered by `answer`, which may call the real method. */
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
