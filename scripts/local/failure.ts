/** An error that the user of a script can fix. Any other exception is a defect. */
export class Failure extends Error {
  override readonly name = "Failure";
}

/** Runs a script. Prints the message of a Failure, or the stack of a defect; both exit with a non-zero code. */
export async function runScript(body: () => Promise<void>): Promise<void> {
  try {
    await body();
  } catch (thrown) {
    const text = thrown instanceof Failure ? thrown.message : thrown instanceof Error ? thrown.stack : thrown;
    process.stderr.write(`\n${text}\n`);
    process.exitCode = 1;
  }
}
