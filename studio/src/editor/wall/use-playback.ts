import { useCallback, useEffect, useRef, useState } from "react";
import type { Animation, Engine, EngineFault, Frame } from "#engine/types.ts";

export interface Playback {
  /** The frame to show; null while the still is shown. */
  readonly picture: ImageData | null;
  readonly isPlaying: boolean;
  readonly fault: EngineFault | null;
  readonly toggle: () => void;
}

/** Shown until the animation's own delays are known, in ms. */
const FIRST_DELAY_MS = 250;

/** Plays one size, frames as soon as they are drawn. `key`: what is drawn; another one ends the playback. */
export function usePlayback(engine: Engine, sizeId: string, widthPx: number, key: unknown): Playback {
  const [isPlaying, setIsPlaying] = useState(false);
  const [shown, setShown] = useState<ImageData | null>(null);
  const [fault, setFault] = useState<EngineFault | null>(null);
  const frames = useRef<Frame[]>([]);
  const animation = useRef<Animation | null>(null);

  // Another drawing, size or width has other frames.
  useEffect(() => {
    setIsPlaying(false);
    setShown(null);
    setFault(null);
    frames.current = [];
    animation.current = null;
  }, [engine, sizeId, widthPx, key]);

  useEffect(() => {
    if (!isPlaying) return;
    const stop = new AbortController();
    setFault(null);
    if (animation.current === null) {
      frames.current = [];
      const take = (frame: Frame): void => {
        // By its index: an engine that breaks begins again with the first.
        if (!stop.signal.aborted) frames.current[frame.index] = frame;
      };
      void engine.play(sizeId, widthPx, take, stop.signal).then((played) => {
        if (stop.signal.aborted) return;
        if (played.ok) animation.current = played.value;
        else {
          setFault(played.fault);
          setIsPlaying(false);
        }
      });
    }
    let at = 0;
    let plays = 0;
    let timer = 0;
    const step = (): void => {
      const frame = frames.current[at];
      const known = animation.current;
      // The next frame is still being drawn.
      if (frame === undefined && known === null) {
        timer = window.setTimeout(step, FIRST_DELAY_MS / 5);
        return;
      }
      if (frame !== undefined) setShown(frame.picture);
      const delayMs = known?.delaysMs[at] ?? FIRST_DELAY_MS;
      at += 1;
      if (known !== null && at >= known.delaysMs.length) {
        at = 0;
        plays += 1;
        if (plays >= known.loops) {
          setIsPlaying(false);
          return;
        }
      }
      timer = window.setTimeout(step, delayMs);
    };
    step();
    return () => {
      stop.abort();
      window.clearTimeout(timer);
    };
  }, [isPlaying, engine, sizeId, widthPx]);

  const toggle = useCallback(() => setIsPlaying((playing) => !playing), []);
  return { picture: shown, isPlaying, fault, toggle };
}
