import {
  type CodecModules,
  createRenderer,
  FontLibraryFault,
  type Renderer,
} from "creative-packs-service/renderer";
import { type AnimationCache, createAnimationCache } from "./animation-cache.ts";
import { faultOf } from "./faults.ts";
import { createPackCache, type PackCache } from "./pack-cache.ts";
import { performTask } from "./perform-task.ts";
import type { Answer, CoreModules, FromWorker, LateModule, LateModules, Task, ToWorker } from "./protocol.ts";
import { reducePicture } from "./reduce-picture.ts";

/** Worker that runs the service's renderer, one task at a time. */

interface Engine {
  readonly shelf: ModuleShelf;
  readonly renderer: Renderer;
  readonly packs: PackCache;
  readonly animation: AnimationCache;
}

/** Cache for scaled photos: enough for a grid of ten sizes. */
const KEPT_BYTES_MAX = 32_000_000;

let engine: Engine | null = null;
const dropped = new Set<number>();

const tell = (message: FromWorker, moved: Transferable[] = []): void => {
  self.postMessage(message, { transfer: moved });
};

/** Waits for a macrotask, so that pending messages are handled first. */
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

self.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === "start") engine = start(data);
  else if (data.type === "modules") engine?.shelf.add(data.late);
  else if (data.type === "drop") dropped.add(data.taskId);
  else void perform(data.taskId, data.task);
});

function start({ core, fonts, fontsUrl }: ToWorker & { type: "start" }): Engine {
  const shelf = createModuleShelf(core);
  const load = async (name: string): Promise<Uint8Array<ArrayBuffer>> => {
    const response = await fetch(`${fontsUrl}/${name}`);
    if (!response.ok) throw new Error(`the font library answered ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  };
  const renderer = createRenderer(shelf.modules, fonts, { load }, KEPT_BYTES_MAX);
  const packs = createPackCache(renderer, (found) => tell({ type: "pictures", ...found }));
  return { shelf, renderer, packs, animation: createAnimationCache(renderer) };
}

async function perform(taskId: number, task: Task): Promise<void> {
  try {
    const answer = await answerOf(taskId, task);
    tell({ type: "done", taskId, answer }, "pixels" in answer ? [answer.pixels.buffer] : []);
  } catch (thrown) {
    tell({ type: "crashed", taskId, message: String(thrown) });
  } finally {
    dropped.delete(taskId);
  }
}

async function answerOf(taskId: number, task: Task): Promise<Answer> {
  if (engine === null) throw new Error("a task came before the engine");
  const { renderer, packs, animation } = engine;
  try {
    if (task.kind === "reduce") return await reducePicture(renderer, task);
    return await performTask(renderer, { packs, animation }, task, async () => {
      await turn();
      return dropped.has(taskId);
    });
  } catch (thrown) {
    if (!(thrown instanceof FontLibraryFault)) throw thrown;
    return { kind: "fault", fault: faultOf("FONTS_UNREACHABLE", thrown.message) };
  }
}

/** Compiled codecs of a worker; the large ones are added later. */
interface ModuleShelf {
  /** Reading a large codec throws before it was added. The page sends it before the first task that needs it. */
  readonly modules: CodecModules;
  readonly add: (late: LateModules) => void;
}

function createModuleShelf(core: CoreModules): ModuleShelf {
  let late: LateModules = {};
  const needed = (name: LateModule): WebAssembly.Module => {
    const module = late[name];
    if (module === undefined) throw new Error(`${name} was not sent`);
    return module;
  };
  return {
    modules: {
      ...core,
      get svgRasteriser() {
        return needed("svgRasteriser");
      },
      get jpegEncoder() {
        return needed("jpegEncoder");
      },
      get webpEncoder() {
        return needed("webpEncoder");
      },
      get videoEncoder() {
        return needed("videoEncoder");
      },
    },
    add: (more) => {
      late = { ...late, ...more };
    },
  };
}

tell({ type: "ready" });
