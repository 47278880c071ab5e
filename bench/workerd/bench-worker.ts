import { inRoot } from "../../scripts/local/paths.ts";
import { cpuMsOf } from "../clock/process-figures.ts";
import { type Bundle, bundleWorker } from "./bundle.ts";
import { startWorkerd } from "./workerd.ts";

/** A worker of bench/workers in its own workerd. */
export interface BenchWorker {
  readonly pid: number;
  readonly cpuMs: () => number;
  readonly hold: (name: string, bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
  /** Sends a task and returns its result. Throws if the worker fails. */
  readonly ask: <Answer>(path: string, task: unknown) => Promise<Answer>;
  readonly stop: () => Promise<void>;
}

/** The first line of an error page; the stack follows. */
const firstLine = (text: string): string => text.split("\n", 1)[0]?.slice(0, 200) ?? "";

const CONFIG_PATH = inRoot("bench/workers/wrangler.toml");
const bundles = new Map<string, Promise<Bundle>>();

/** Each worker is bundled once per run. */
function bundleOf(script: string): Promise<Bundle> {
  const bundle = bundles.get(script) ?? bundleWorker(CONFIG_PATH, inRoot(`bench/workers/${script}`));
  bundles.set(script, bundle);
  return bundle;
}

export async function startBenchWorker(script: string): Promise<BenchWorker> {
  const { origin, pid, stop } = await startWorkerd(await bundleOf(script), CONFIG_PATH);
  const send = async (path: string, method: string, body: BodyInit): Promise<Response> => {
    const response = await fetch(`${origin}${path}`, { method, body });
    if (!response.ok) throw new Error(firstLine(await response.text()));
    return response;
  };
  return {
    pid,
    cpuMs: () => cpuMsOf(pid),
    hold: async (name, bytes) => {
      await (await send(`/assets/${name}`, "PUT", bytes)).arrayBuffer();
    },
    ask: async (path, task) => (await send(path, "POST", JSON.stringify(task))).json(),
    stop,
  };
}
