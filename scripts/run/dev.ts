/**
 * Runs the worker on this machine with a ready key: npm run dev [-- --port N] [--json] [--shards N]
 *
 * Payments and email are simulated, unless .dev.vars has the keys of their providers.
 */
import { styleText } from "node:util";
import { readDevKey } from "../local/dev-key.ts";
import { Failure, runScript } from "../local/failure.ts";
import { newToken, recordService } from "../local/operated-service.ts";
import { OPERATOR_TOKEN } from "../local/operation.ts";
import { type Options, readOptions } from "../local/options.ts";
import { inRoot } from "../local/paths.ts";
import { freePort, isPortFree } from "../local/ports.ts";
import { prepareLocally, STATE_FOLDER } from "../local/prepare.ts";
import { configWithShards } from "../local/shards.ts";
import { untilAskedToEnd } from "../local/wait-for-signal.ts";
import { LOOPBACK_VARS, type LocalWorker, startLocalWorker } from "../local/worker.ts";
import { type Simulation, startSimulation } from "./emulators/simulation.ts";

const PORT_DEFAULT = 8787;
/** Interval of the scheduled tasks, as in wrangler.toml: local workerd does not run cron triggers. */
const SWEEP_MS = 60_000;

/** The requested port; otherwise the usual one, or any free one. */
async function choosePort(asked: number | null): Promise<number> {
  if (asked === null) return (await isPortFree(PORT_DEFAULT)) ? PORT_DEFAULT : freePort();
  if (await isPortFree(asked)) return asked;
  throw new Failure(`Port ${asked} is taken. Choose another, or leave --port out.`);
}

function printAddress(origin: string, key: string, simulation: Simulation, { isJson }: Options): void {
  const docs = `${origin}/docs`;
  const { mailOrigin, stripeOrigin } = simulation;
  if (isJson) {
    console.log(JSON.stringify({ origin, key, docs, mail: mailOrigin, payments: stripeOrigin }));
    return;
  }
  const mail = mailOrigin === null ? "sent by the provider in .dev.vars" : `${mailOrigin} shows sent mail`;
  const payments =
    stripeOrigin === null ? "charged by the Stripe account in .dev.vars" : "simulated: no money moves";
  console.log(`
  ${styleText("bold", "Creative Packs")} is running. Ctrl-C ends it.

  Studio         ${origin}
  API            ${origin}/api/v1
  Key            ${key}
  Documentation  ${docs}
  Mail           ${mail}
  Payments       ${payments}
  Log            .wrangler/dev.log

  curl -H "Authorization: Bearer ${key}" ${origin}/api/v1/balance
`);
}

async function serve(worker: LocalWorker, ending: Promise<"asked">): Promise<void> {
  const sweep = setInterval(() => {
    fetch(`${worker.origin}/cdn-cgi/handler/scheduled`).catch(() => undefined);
  }, SWEEP_MS);
  const reason = await Promise.race([ending, worker.ended]);
  clearInterval(sweep);
  if (reason !== "asked")
    throw new Failure(`The worker ended by itself. Its last lines:\n${worker.lastLines()}`);
}

await runScript(async () => {
  const options = readOptions(true);
  const ending = untilAskedToEnd();
  const port = await choosePort(options.port);
  if (!options.isJson) console.log("Starting the worker …");
  const configPath = await configWithShards(options.shards);
  await prepareLocally(configPath);
  const simulation = await startSimulation(port, STATE_FOLDER);
  const token = newToken();
  try {
    const worker = await startLocalWorker({
      stateFolder: STATE_FOLDER,
      logPath: inRoot(".wrangler/dev.log"),
      port,
      configPath,
      script: "scripts/local/dev-worker.ts",
      vars: { ...LOOPBACK_VARS, ...simulation.vars, [OPERATOR_TOKEN]: token },
    });
    const forget = await recordService(STATE_FOLDER, { origin: worker.origin, token });
    try {
      printAddress(worker.origin, await readDevKey(worker.origin, STATE_FOLDER), simulation, options);
      await serve(worker, ending);
    } finally {
      await forget();
      await worker.stop();
    }
  } finally {
    await simulation.stop();
  }
});
