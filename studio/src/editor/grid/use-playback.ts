import { useCallback, useEffect, useRef, useState } from "react";
import type { Drawing, Engine, EngineFault } from "#engine/types.ts";
import { createFrameQueue, frameBefore, playMsOf, TICK_MS } from "./frame-queue.ts";

export type Playback = ReturnType<typeof usePlayback>;

interface ShownFrame {
  readonly frame: number;
  readonly picture: ImageData;
}

/**
 * Plays one size, or shows its frame at any time. A new drawing stops playback, because it belongs to another
 * animation.
 */
export function usePlayback(engine: Engine | null, sizeId: string, widthPx: number, drawing: Drawing | null) {
  const delaysMs = drawing?.play.delaysMs ?? NO_DELAYS;
  const loops = drawing?.play.loops ?? 1;
  const durationMs = playMsOf(delaysMs);
  /** Null while the end card is shown. */
  const [momentMs, setMomentMs] = useState<number | null>(null);
  const [isPlaying, setIsPlaying] = useState(false);
  const [shown, setShown] = useState<ShownFrame | null>(null);
  const [fault, setFault] = useState<EngineFault | null>(null);
  const queue = useRef<ReturnType<typeof createFrameQueue> | null>(null);
  const isFirstDrawn = useRef(false);

  const stop = useCallback(() => setIsPlaying(false), []);
  useEffect(() => {
    setIsPlaying(false);
    setMomentMs(null);
    setShown(null);
    setFault(null);
    if (engine === null || drawing === null) return;
    const ending = new AbortController();
    queue.current = createFrameQueue(async (frame) => {
      const drawn = await engine.frame(sizeId, widthPx, frame, ending.signal);
      if (ending.signal.aborted) return;
      isFirstDrawn.current = true;
      setFault(drawn.ok ? null : drawn.fault);
      if (drawn.ok) return setShown({ frame, picture: drawn.value });
      stop();
      setMomentMs(null);
    });
    return () => {
      queue.current?.clear();
      ending.abort();
    };
  }, [engine, sizeId, widthPx, drawing, stop]);

  const frame = momentMs === null ? null : frameBefore(delaysMs, momentMs);
  useEffect(() => {
    if (frame === null) queue.current?.clear();
    else queue.current?.ask(frame);
  }, [frame]);

  useEffect(() => {
    if (!isPlaying) return;
    let startedAtMs: number | null = null;
    let handle = 0;
    const tick = (nowMs: number): void => {
      handle = requestAnimationFrame(tick);
      // The first frame takes longest: without waiting for it, the animation would start in the middle.
      if (!isFirstDrawn.current) return;
      startedAtMs ??= nowMs - fromMs.current;
      const elapsedMs = nowMs - startedAtMs;
      if (elapsedMs < durationMs * loops) {
        setMomentMs(Math.floor((elapsedMs % durationMs) / TICK_MS) * TICK_MS);
        return;
      }
      setMomentMs(null);
      setIsPlaying(false);
    };
    handle = requestAnimationFrame(tick);
    return () => cancelAnimationFrame(handle);
  }, [isPlaying, durationMs, loops]);

  /** Time at which playback starts. */
  const fromMs = useRef(0);
  const toggle = (): void => {
    if (isPlaying) {
      stop();
      return;
    }
    fromMs.current = momentMs ?? 0;
    const first = frameBefore(delaysMs, fromMs.current);
    isFirstDrawn.current = first === null || first === shown?.frame;
    setMomentMs(fromMs.current);
    setIsPlaying(true);
  };
  /** Pauses and shows the frame at a time. */
  const seek = (ms: number): void => {
    stop();
    setMomentMs(ms >= durationMs ? null : ms);
  };
  return {
    /** Frame to show; null shows the still, which is the last frame. */
    picture: frame === null ? null : (shown?.picture ?? null),
    /** Current time in the animation. */
    ms: momentMs ?? durationMs,
    durationMs,
    isPlaying,
    fault,
    toggle,
    seek,
  };
}

const NO_DELAYS: readonly number[] = [];
