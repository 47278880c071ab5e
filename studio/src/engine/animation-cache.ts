import type {
  PreparedPack,
  Renderer,
  Result,
  ScreenFrames,
  ScreenRequest,
} from "creative-packs-service/renderer";

/** Cache of the animation that a worker composed last, used for all of its frames. */
export interface AnimationCache {
  /** Frees the animation unless it has this key. Called before another task, whose pictures need the memory. */
  readonly keepOnly: (key: string | null) => void;
  /** Throws the font library's errors. */
  readonly framesOf: (
    key: string,
    pack: PreparedPack,
    request: ScreenRequest,
  ) => Promise<Result<ScreenFrames>>;
}

export function createAnimationCache(renderer: Renderer): AnimationCache {
  let kept: { readonly key: string; readonly frames: ScreenFrames } | null = null;
  return {
    keepOnly: (key) => {
      if (kept === null || kept.key === key) return;
      kept.frames.close();
      kept = null;
    },
    framesOf: async (key, pack, request) => {
      if (kept !== null) return { ok: true, value: kept.frames };
      const frames = await renderer.frames(pack, request);
      if (frames.ok) kept = { key, frames: frames.value };
      return frames;
    },
  };
}
