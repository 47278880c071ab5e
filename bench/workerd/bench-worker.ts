import { inRoot } from "../../scripts/local/paths.ts";
import { cpuMsOf } from "../clock/process-figures.ts";
import { bundleWorker } from "./bundle.ts";
import { startWorkerd } from "./workerd.ts";

/** One of bench/workers in a workerd of its own. */
export interface BenchWorker {
  readonly cpuMs: () => number;
  readonly hold: (name: string, bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
  /** Throws with what the worker threw. */
  readonly ask: <Answer>(path: string, task: unknown) => Promise<Answer>;
  readonly askBytes: (path: string, task: unknown) => Promise<Uint8Array<ArrayBuffer>>;
  readonly stop: () => Promise<void>;
}

/** The first line of an error's text; the runtime's page of it has a stack below. */
const firstLine = (text: string): string => text.split("\n", 1)[0]?.slice(0, 200) ?? "";

export async function startBenchWorker(script: string): Promise<BenchWorker> {
  const configPath = inRoot("bench/workers/wrangler.toml");
  const bundle = await bundleWorker(configPath, inRoot(`bench/workers/${script}`));
  const { origin, pid, stop } = await startWorkerd(bundle, configPath);
  const send = async (path: string, method: string, body: BodyInit): Promise<Response> => {
    const response = await fetch(`${origin}${path}`, { method, body });
    if (!response.ok) throw new Error(firstLine(await response.text()));
    return response;
  };
  return {
    cpuMs: () => cpuMsOf(pid),
    hold: async (name, bytes) => {
      await (await send(`/assets/${name}`, "PUT", bytes)).arrayBuffer();
    },
    ask: async (path, task) => (await send(path, "POST", JSON.stringify(task))).json(),
    askBytes: async (path, task) =>
      new Uint8Array(await (await send(path, "POST", JSON.stringify(task))).arrayBuffer()),
    stop,
  };
}
