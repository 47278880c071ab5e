/**
 * Makes two packs from the files in samples/ with the real worker: npm run demo [-- --port N]
 *
 * --deliver instead signs a person up, makes a pack with their key and delivers it. --buy signs a person up who buys
 * and spends credits, with simulated Stripe and email.
 */
import { rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { relative } from "node:path";
import { styleText } from "node:util";
import { Failure, runScript } from "../local/failure.ts";
import { migrateLocal } from "../local/migrate.ts";
import { type Options, readOptions } from "../local/options.ts";
import { inRoot, ROOT } from "../local/paths.ts";
import { freePort, isPortFree } from "../local/ports.ts";
import { ensureLocalSecrets } from "../local/secrets.ts";
import { LOOPBACK_VARS, type LocalWorker, startLocalWorker } from "../local/worker.ts";
import { createLocalWorkspace } from "../local/workspace.ts";
import { makeAssets } from "../make/assets.ts";
import { playPurchase } from "./demo/buy.ts";
import { writeContactSheet } from "./demo/contact-sheet.ts";
import { playDelivery } from "./demo/deliver.ts";
import { formatBytes, formatSeconds, printDone } from "./demo/figures.ts";
import { formatFiles, type MadePack, makePack } from "./demo/make-pack.ts";
import { failureOf, openClient } from "./demo/open-client.ts";
import { PACKS } from "./demo/packs.ts";
import { type Emulators, startEmulators } from "./emulators/start-emulators.ts";

const CREDITS = 25;
const OUTPUT_FOLDER = inRoot("demo-output");
/** A separate folder, so that demos and `npm run dev` never share a database. */
const STATE_FOLDER = inRoot(`.wrangler/demo/${process.pid}`);

async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const done = await work();
  printDone(title, formatSeconds(performance.now() - startedMs));
  return done;
}

async function play(worker: LocalWorker, secret: string): Promise<void> {
  const client = openClient(worker.origin, secret);
  const before = (await client.balance.get()).credits.available;
  const made: MadePack[] = [];
  for (const pack of PACKS) {
    console.log(`\n${styleText("bold", pack.title)}`);
    const finished = await makePack(client, pack, OUTPUT_FOLDER);
    console.log(`\n${formatFiles(finished)}`);
    made.push(finished);
  }
  const after = (await client.balance.get()).credits.available;
  const usage = await client.usage.list({ limit: 20 }).firstPage();
  console.log(`\n${styleText("bold", "What it cost")}`);
  for (const { type, amount, balanceAfter, description } of usage.items.toReversed()) {
    console.log(
      `  ${type.padEnd(12)} ${String(amount).padStart(4)}  → ${String(balanceAfter).padStart(3)}  ${description}`,
    );
  }
  const spent = made.reduce((sum, { job }) => sum + job.expectedCost.amount, 0);
  if (before - after !== spent) {
    throw new Failure(`The balance fell by ${before - after}, the packs cost ${spent}.`);
  }
  console.log(`  Balance ${before} before, ${after} after: ${spent} credits spent.`);
  const sheet = await writeContactSheet(OUTPUT_FOLDER, made);
  const bytes = made.reduce((sum, { artifact }) => sum + artifact.manifest.totalBytes, 0);
  const files = made.reduce((sum, { artifact }) => sum + artifact.files.length, 0);
  console.log(`\n${files} files, ${formatBytes(bytes)}. Open ${relative(ROOT, sheet)}`);
  console.log("To make your own, run `npm run dev` and open the Studio at the address that it prints.");
}

/** Starts the worker, runs one of the three demos, and ends it. */
async function playOn(port: number, secret: string, options: Options, emulators: Emulators | null) {
  const { isDelivering } = options;
  const simulated = emulators?.join(`http://127.0.0.1:${port}`);
  console.log("Starting the worker …");
  const worker = await step("Worker in workerd, offline", () =>
    startLocalWorker({
      stateFolder: STATE_FOLDER,
      logPath: `${STATE_FOLDER}/worker.log`,
      port,
      vars: {
        ...(isDelivering || emulators !== null ? LOOPBACK_VARS : {}),
        ...simulated?.mail,
        ...simulated?.stripe,
      },
    }),
  );
  try {
    if (emulators !== null) await playPurchase(worker.origin, emulators, OUTPUT_FOLDER, step);
    else if (isDelivering) await playDelivery(worker, STATE_FOLDER, OUTPUT_FOLDER, step);
    else await play(worker, secret);
  } catch (thrown) {
    const failure = failureOf(thrown);
    if (failure === null) throw thrown;
    throw new Failure(`${failure.message}\n\nThe worker's last lines:\n${worker.lastLines()}`);
  } finally {
    await worker.stop();
  }
}

await runScript(async () => {
  const options = readOptions(false, true);
  const { port: asked, isBuying } = options;
  if (asked !== null && !(await isPortFree(asked))) {
    throw new Failure(`Port ${asked} is taken. Choose another, or leave --port out.`);
  }
  await mkdir(OUTPUT_FOLDER, { recursive: true });
  process.on("exit", () => rmSync(STATE_FOLDER, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(130));

  console.log("Preparing secrets and static files (a minute or two at the first start) …");
  const secret = await step("Secrets, static files, database and key", async () => {
    await ensureLocalSecrets();
    await makeAssets();
    console.log("Preparing the database …");
    await migrateLocal(STATE_FOLDER);
    console.log("Creating a workspace and its key …");
    return (await createLocalWorkspace(STATE_FOLDER, "Demo", CREDITS)).secret;
  });
  if (!isBuying) return playOn(asked ?? 0, secret, options, null);
  const port = asked ?? (await freePort());
  const emulators = await step("Stripe and mail, simulated", () => startEmulators());
  try {
    await playOn(port, secret, options, emulators);
  } finally {
    await emulators.stop();
  }
});
