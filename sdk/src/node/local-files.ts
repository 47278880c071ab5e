/** A file in memory. */
export interface LoadedFile {
  /** Its own name; null where nothing gives one. */
  readonly name: string | null;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A folder that files are written into. */
export interface LocalFolder {
  /** The bytes of a file that is there already; null without it. */
  readonly find: (name: string) => Promise<Uint8Array<ArrayBuffer> | null>;
  /** Where a file of this name is. */
  readonly pathOf: (name: string) => string;
  /** Writes a file whole or not at all: under a name of its own until it is on the disk. */
  readonly write: (name: string, bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
}
