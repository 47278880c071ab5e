import { answeredBy } from "../../bench/workers/answered-by.ts";

/** A binding for one request that records its calls. Spies would also count other tests' queue work. */
export interface Counted<T> {
  readonly binding: T;
  readonly calls: readonly string[];
}

export function countedCalls<T extends object>(binding: T): Counted<T> {
  const calls: string[] = [];
  const counted = answeredBy(binding, (method, _, proceed) => {
    calls.push(method);
    return proceed();
  });
  return { binding: counted, calls };
}
