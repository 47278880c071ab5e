import type { CodecModules } from "creative-packs-service/renderer";
import type { CoreModules, LateModule, LateModules } from "./protocol.ts";

/** The compiled codecs of a worker, of which the large ones come later. */
export interface ModuleShelf {
  /** Reading a late module before it was added throws: the page sends it before a task that needs it. */
  readonly modules: CodecModules;
  readonly add: (late: LateModules) => void;
}

export function createModuleShelf(core: CoreModules): ModuleShelf {
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
    },
    add: (more) => {
      late = { ...late, ...more };
    },
  };
}
