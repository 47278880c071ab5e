/** A file in memory. */
export interface LoadedFile {
  /** File name; null if unknown. */
  readonly name: string | null;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A folder to write files to. */
export interface LocalFolder {
  /** Bytes of an existing file; null if there is none. */
  readonly find: (name: string) => Promise<Uint8Array<ArrayBuffer> | null>;
  /** Path of a file in the folder. */
  readonly pathOf: (name: string) => string;
  /** Writes a file atomically, under a temporary name until it is on disk. */
  readonly write: (name: string, bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
}
