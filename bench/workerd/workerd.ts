import {
  type Response as Answer,
  convertV4MiniflareOptions,
  Miniflare,
  type Request as SentRequest,
} from "miniflare";
import { WRANGLER_ENVIRONMENT } from "../../scripts/local/tool.ts";
import { childrenOf, programOf } from "../clock/process-figures.ts";
import type { Bundle } from "./bundle.ts";

/** A worker in its own workerd. */
export interface RunningWorker {
  readonly origin: string;
  /** Id of the process that runs the worker and the simulators of its bindings. */
  readonly pid: number;
  readonly bindings: <Env>() => Promise<Env>;
  readonly stop: () => Promise<void>;
}

/**
 * Loads wrangler with logging off; it reads the level at import. The level is reset afterwards, because child processes
 * inherit it.
 */
async function loadWrangler() {
  Object.assign(process.env, WRANGLER_ENVIRONMENT);
  const level = process.env.WRANGLER_LOG;
  process.env.WRANGLER_LOG = "error";
  try {
    return await import("wrangler");
  } finally {
    if (level === undefined) delete process.env.WRANGLER_LOG;
    else process.env.WRANGLER_LOG = level;
  }
}

export interface WorkerdOptions {
  /** Variables that override the configuration. */
  readonly variables?: Readonly<Record<string, string>>;
  /** False leaves messages in their queues. */
  readonly hasConsumers?: boolean;
  /** Binding names of additional databases. */
  readonly databases?: readonly string[];
  /** Receives the worker's log lines. */
  readonly onLog?: (line: string, level: string) => void;
  /** Answers the worker's requests to other servers. Default: they are sent to the servers. */
  readonly internet?: Internet;
}

export type Internet = (request: SentRequest) => Promise<Answer>;

/**
 * Starts a bundled worker with the bindings of its configuration and empty storage. Unlike `wrangler dev`, it has no
 * proxy and no router of static files, so that only the worker and its runtime are measured. The router would be three
 * more workers here; on the platform it is not part of the worker.
 */
export async function startWorkerd(
  { folder, modules }: Bundle,
  configPath: string,
  {
    variables = {},
    hasConsumers = true,
    databases = [],
    onLog = () => undefined,
    internet,
  }: WorkerdOptions = {},
): Promise<RunningWorker> {
  const { unstable_getMiniflareWorkerOptions: readOptions } = await loadWrangler();
  const { workerOptions } = readOptions(configPath);
  delete workerOptions.assets;
  const before = new Set(childrenOf(process.pid));
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      ...workerOptions,
      bindings: Object.assign({}, workerOptions.bindings, variables),
      d1Databases: Object.assign(
        {},
        workerOptions.d1Databases,
        Object.fromEntries(databases.map((name) => [name, { id: name }])),
      ),
      ...(hasConsumers ? {} : { queueConsumers: {} }),
      ...(internet === undefined ? {} : { outboundService: internet }),
      modules: [...modules],
      modulesRoot: folder,
      port: 0,
      handleStructuredLogs: ({ message, level }) => onLog(message, level),
    }),
  );
  const { origin } = await miniflare.ready;
  const started = childrenOf(process.pid).filter((pid) => !before.has(pid) && programOf(pid) === "workerd");
  const [pid] = started;
  if (pid === undefined || started.length > 1) throw new Error(`${started.length} workerds were started`);
  return {
    origin,
    pid,
    bindings: <Env>() => miniflare.getBindings<Env>(),
    stop: () => miniflare.dispose(),
  };
}
