import type { Unstable_Config } from "wrangler";
import { Failure } from "../local/failure.ts";

/** Four times the most expensive request (docs/decisions/0011-a-worker-for-consumers.md). */
const CPU_MS_OF_REQUESTS = 30_000;

/** One of the two Workers of a deployment. */
interface DeployedWorker {
  readonly name: string;
  /** Path of its configuration, next to the original, because paths in it are relative. */
  readonly file: string;
  readonly target: readonly string[];
  readonly configuration: Partial<Unstable_Config>;
}

/** The Worker with the routes, and the one with the queue consumers and the clock. */
export interface TwoWorkers {
  readonly routes: DeployedWorker;
  readonly consumers: DeployedWorker;
}

/** Splits a configuration, read from `file`, in two. What is not mentioned here is the same in both. */
export function twoWorkers(file: string, read: Unstable_Config): TwoWorkers {
  const { unsafe, ...others } = read;
  const { name, queues, durable_objects: objects } = read;
  if (name === undefined) throw new Failure(`${file} has no name.`);
  // An empty `unsafe` makes wrangler warn.
  const shared = Object.keys(unsafe).length > 0 ? read : others;
  const worker = (role: keyof TwoWorkers, configuration: Partial<Unstable_Config>): DeployedWorker => {
    const path = file.replace(/(?:\.\w+)?$/, `.${role}.json`);
    return { name: configuration.name ?? name, file: path, target: ["--config", path], configuration };
  };
  return {
    routes: worker("routes", {
      ...shared,
      limits: { ...read.limits, cpu_ms: CPU_MS_OF_REQUESTS },
      queues: { ...queues, consumers: [] },
      // An absent list would leave the schedule of the Worker that was deployed before.
      triggers: { crons: [] },
    }),
    // Its assets are the fonts; without an address nothing else is served from them.
    consumers: worker("consumers", {
      ...shared,
      name: `${name}-consumers`,
      workers_dev: false,
      preview_urls: false,
      route: undefined,
      routes: undefined,
      migrations: [],
      durable_objects: { bindings: objects.bindings.map((object) => ({ script_name: name, ...object })) },
    }),
  };
}
