import { findSizeProblem } from "creative-packs-service/pixel-rules";
import {
  type AssetSource,
  isImageType,
  type PreparedPack,
  type Renderer,
  type RenderFailure,
  type Result,
  type Sources,
  VISUAL_SLOTS,
  type VisualSlot,
} from "creative-packs-service/renderer";
import { inspect } from "creative-packs-service/renderer/inspect";
import { SLOT_IDS, type SlotId } from "creative-packs-service/slots";
import { faultOf } from "./faults.ts";
import type { FromWorker, PackSpec } from "./protocol.ts";
import type { DrawnAs, EngineFault, EngineResult, SlotFile } from "./types.ts";

/** A worker's decoded pictures, and the pack that it drew last. */
export interface PackCache {
  /**
   * Prepares the pack of a spec, and reuses its pictures and fonts where possible. Throws the font library's errors.
   */
  readonly packOf: (spec: PackSpec) => Promise<EngineResult<PreparedPack>>;
}

/** `onPictures` is called with the findings about all files when the pack changes. */
export function createPackCache(
  renderer: Renderer,
  onPictures: (found: Omit<FromWorker & { type: "pictures" }, "type">) => void,
): PackCache {
  /** Files that could not be drawn, by slot and id. */
  const faults = new Map<string, EngineFault>();
  const faultOfFile = (slot: DrawnAs, asset: SlotFile | undefined): EngineFault | undefined =>
    asset && faults.get(nameOf(slot, asset));
  let sources: Sources | null = null;
  let sourcesKey = "";
  let pack: PreparedPack | null = null;
  let packKey = "";
  let opened = new Map<string, OpenedAsset>();

  const load = async (spec: PackSpec): Promise<EngineResult<Sources>> => {
    const given = visualAssets(spec);
    const wanted = given.filter(([slot, asset]) => faultOfFile(slot, asset) === undefined);
    const key = keyOf(wanted);
    if (sources !== null && key === sourcesKey) return { ok: true, value: sources };
    const kept = new Map<string, OpenedAsset>();
    const assets: { [name in Drawn]?: AssetSource } = {};
    for (const [slot, asset] of wanted) {
      const name = nameOf(slot, asset);
      const one = opened.get(name) ?? openAsset(slot, asset);
      kept.set(name, one);
      assets[slot] = one.source;
    }
    const loaded = await renderer.load(assets, sources);
    // If the new pictures fail, keep the earlier pack.
    opened = loaded.ok ? kept : new Map([...opened, ...kept]);
    if (!loaded.ok) {
      const fault =
        takeFault(kept) ?? faultOf(loaded.code, loaded.message, loaded.slot && slotOf(loaded.slot));
      const faulty = wanted.find(([name]) => name === loaded.slot);
      // Leave out the faulty picture. If it is the only picture, its fault becomes that of the pack.
      if (faulty === undefined || wanted.length === 1) return { ok: false, fault };
      faults.set(nameOf(...faulty), fault);
      return load(spec);
    }
    sources = loaded.value;
    sourcesKey = key;
    return { ok: true, value: sources };
  };

  return {
    packOf: async (spec) => {
      const { assets, ...design } = spec;
      const key = JSON.stringify([keyOf(visualAssets(spec)), assets.font?.id, assets.textFont?.id, design]);
      if (pack !== null && key === packKey) return { ok: true, value: pack };
      // Close the pack first, because its pictures may be freed below.
      pack?.close();
      pack = null;
      const loaded = await load(spec);
      if (!loaded.ok) return loaded;
      const dress = async (names: readonly Font[]): Promise<EngineResult<PreparedPack>> => {
        const fonts: { [name in Font]: Uint8Array | null } = { font: null, textFont: null };
        for (const name of names) {
          const read = await fontOf(assets[name]);
          if (!read.ok) return read;
          fonts[name] = read.value;
        }
        const dressed = await renderer.dress(loaded.value, { ...fonts, copy: {}, ...design });
        return dressed.ok ? dressed : { ok: false, fault: faultOf(dressed.code, dressed.message, "font") };
      };
      const given = FONTS.filter((name) => assets[name] && !faultOfFile(name, assets[name]));
      let dressed = await dress(given);
      for (const leftOut of LEFT_OUT) {
        if (dressed.ok) break;
        const { fault } = dressed;
        const rest = given.filter((name) => !leftOut.includes(name));
        if (rest.length === given.length) continue;
        dressed = await dress(rest);
        if (!dressed.ok) continue;
        for (const name of leftOut) {
          const asset = assets[name];
          if (asset) faults.set(nameOf(name, asset), fault);
        }
      }
      if (!dressed.ok) return dressed;
      pack = dressed.value;
      packKey = key;
      onPictures({
        assetIds: Object.fromEntries(Object.entries(assets).map(([name, asset]) => [name, asset?.id])),
        pictures: Object.fromEntries(renderer.facts(loaded.value)),
        faultyFiles: Object.fromEntries(
          ALL.flatMap((name) => {
            const fault = faultOfFile(name, assets[name]);
            return fault === undefined ? [] : [[slotOf(name), fault] as const];
          }),
        ),
      });
      return { ok: true, value: pack };
    },
  };
}

/** Roles of a pack's pictures: the visual slots, and a brand's second logo. */
type Drawn = VisualSlot | "logoOnDark";

const visualAssets = ({ assets }: PackSpec): readonly (readonly [slot: Drawn, asset: SlotFile])[] =>
  ([...VISUAL_SLOTS, "logoOnDark"] as const).flatMap((slot) => {
    const asset = assets[slot];
    return asset === undefined ? [] : [[slot, asset] as const];
  });

type Font = "font" | "textFont";
const FONTS: readonly Font[] = ["font", "textFont"];
/** Fonts to leave out, tried in this order until the remaining fonts can be used. */
const LEFT_OUT: readonly (readonly Font[])[] = [["textFont"], ["font"], FONTS];

/** A brand's second logo and font come first, so that a fault of the slot's own file replaces theirs. */
const ALL: readonly DrawnAs[] = ["logoOnDark", "textFont", ...SLOT_IDS];

/** The slot whose rules apply to the file. */
const slotOf = (name: DrawnAs): SlotId =>
  name === "logoOnDark" ? "logo" : name === "textFont" ? "font" : name;

const nameOf = (slot: DrawnAs, { id }: SlotFile): string => `${slot} ${id}`;

const keyOf = (assets: readonly (readonly [slot: Drawn, asset: SlotFile])[]): string =>
  JSON.stringify(assets.map(([slot, { id }]) => [slot, id]));

/** An asset for the renderer, which caches decoded pictures by the identity of `source`. */
interface OpenedAsset {
  readonly source: AssetSource;
  /** Returns and clears the fault of the last read; null if there is none. */
  readonly takeFault: () => EngineFault | null;
}

function openAsset(slot: Drawn, asset: SlotFile): OpenedAsset {
  let fault: EngineFault | null = null;
  const refuse = (found: EngineFault): RenderFailure => {
    fault = found;
    return { ok: false, code: "ASSET_UNREADABLE", message: found.message };
  };
  const { mimeType } = asset;
  const load = async (): Promise<Result<Uint8Array>> => {
    const read = await readFile(slot, asset);
    return read.ok ? read : refuse(read.fault);
  };
  return {
    source: { mimeType: isImageType(mimeType) ? mimeType : "image/png", load, renditions: null },
    takeFault: () => {
      const found = fault;
      fault = null;
      return found;
    },
  };
}

function takeFault(assets: ReadonlyMap<string, OpenedAsset>): EngineFault | null {
  const found = [...assets.values()].map((asset) => asset.takeFault());
  return found.find((fault) => fault !== null) ?? null;
}

async function fontOf(asset: SlotFile | undefined): Promise<EngineResult<Uint8Array | null>> {
  return asset === undefined ? { ok: true, value: null } : readFile("font", asset);
}

/** Reads a file's bytes, and checks them like an upload for its slot. */
export async function readFile(
  drawnAs: DrawnAs,
  { file, mimeType }: SlotFile,
): Promise<EngineResult<Uint8Array>> {
  const slot = slotOf(drawnAs);
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch (cause) {
    return {
      ok: false,
      fault: faultOf("FILE_UNREADABLE", `The file cannot be read: ${String(cause)}`, slot),
    };
  }
  const found = inspect(bytes, mimeType);
  if (!found.ok) return { ok: false, fault: faultOf(found.code, found.message, slot) };
  if (found.value.kind === "font") return { ok: true, value: bytes };
  const { kind, width, height } = found.value;
  const problem = findSizeProblem(slot, kind === "svg" ? "vector" : "raster", width, height);
  // The size of an SVG in pixels is not checked.
  if (problem !== null && kind === "raster")
    return { ok: false, fault: faultOf(problem.code, problem.message, slot) };
  return { ok: true, value: bytes };
}
