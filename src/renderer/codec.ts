/** A codec living in one WASM instance. */
export interface Codec {
  /** Bytes of linear memory it holds. */
  memoryBytes(): number;
}

/**
 * Runs a task on a codec. Gives null when the codec trapped or threw: the input was bad beyond what
 * the codec reports, its memory can no longer be trusted, and the next task gets a fresh instance.
 * The task is synchronous and must not keep views of the codec's memory.
 */
export type UseCodec<C extends Codec> = <T>(task: (codec: C) => T) => Promise<T | null>;
