/** A codec living in one WASM instance. */
export interface Codec {
  /** Bytes of linear memory it holds. */
  memoryBytes(): number;
}

/**
 * Runs a task on a codec. Returns null when the codec trapped or threw: then its memory can no longer be
 * trusted, and the next task gets a new instance.
 * The task is synchronous and must not keep views of the codec's memory.
 */
export type UseCodec<C extends Codec> = <T>(task: (codec: C) => T) => Promise<T | null>;
