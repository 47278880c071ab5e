import { Failure } from "../../local/failure.ts";

/** Does one step of a drill and prints its verdict; a step that fails ends the drill. */
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

/** Fails the step where what is found is not what the runbook promises. */
export function expectSame(what: string, found: unknown, promised: unknown): void {
  const [left, right] = [JSON.stringify(found), JSON.stringify(promised)];
  if (left !== right) throw new Failure(`${what}: ${left}, and the runbook promises ${right}`);
}
