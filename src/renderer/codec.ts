/** A codec in one WASM instance. */
export interface Codec {
  memoryBytes(): number;
}

/**
 * Runs a task on a codec. Returns null if the codec trapped or threw: its memory is then unreliable, so the next task
 * gets a new instance. The task is synchronous and must not keep views of the codec's memory.
 */
export type UseCodec<C extends Codec> = <T>(task: (codec: C) => T) => Promise<T | null>;
