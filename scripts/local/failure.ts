/** A reason to end a script that its user can act on; anything else thrown is a defect. */
export class Failure extends Error {
  override readonly name = "Failure";
}

/** Runs a script's body. A failure prints its sentence, a defect its stack; both end with a non-zero code. */
export async function runScript(body: () => Promise<void>): Promise<void> {
  try {
    await body();
  } catch (thrown) {
    const text = thrown instanceof Failure ? thrown.message : thrown instanceof Error ? thrown.stack : thrown;
    process.stderr.write(`\n${text}\n`);
    process.exitCode = 1;
  }
}
