import { Failure } from "../../local/failure.ts";

/** Runs one step of a drill and prints its result. A failed step ends the drill. */
export async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
  try {
    const done = await work();
    console.log(`ok      ${title}`);
    return done;
  } catch (thrown) {
    console.log(`FAILED  ${title}`);
    throw thrown;
  }
}

/** Fails the step if the result differs from the runbook. */
export function expectSame(what: string, found: unknown, promised: unknown): void {
  const [left, right] = [JSON.stringify(found), JSON.stringify(promised)];
  if (left !== right) throw new Failure(`${what}: ${left}, and the runbook promises ${right}`);
}
