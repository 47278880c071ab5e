import type { Unstable_Config } from "wrangler";
import { Failure } from "../local/failure.ts";

/** CPU limit of a request: twelve times the most expensive one (docs/decisions/0011-a-worker-for-consumers.md). */
const CPU_MS_OF_REQUESTS = 30_000;

/** One of the two Workers of a deployment. */
interface DeployedWorker {
  readonly name: string;
  /** Path of its configuration, next to the original, because paths in it are relative. */
  readonly file: string;
  readonly target: readonly string[];
  readonly configuration: Partial<Unstable_Config>;
}

/** The Worker with the routes, and the Worker with queue consumers and scheduled tasks. */
export interface TwoWorkers {
  readonly routes: DeployedWorker;
  readonly consumers: DeployedWorker;
}

/** Splits the configuration in `file` into two. Members that are not changed here are the same in both. */
export function twoWorkers(file: string, read: Unstable_Config): TwoWorkers {
  const { unsafe, ...others } = read;
  const { name, queues, durable_objects: objects } = read;
  if (name === undefined) throw new Failure(`${file} has no name.`);
  // An empty `unsafe` makes wrangler print a warning.
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
      // Without the list, wrangler would keep the schedule of the deployed Worker.
      triggers: { crons: [] },
    }),
    // This Worker has the assets because it reads the fonts. Without a route it serves none of them.
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
