/** The functions of Node.js that this package uses. No other types of Node.js are loaded (`types: []`). */

declare module "node:fs/promises" {
  interface FileHandle {
    writeFile(bytes: Uint8Array): Promise<void>;
    sync(): Promise<void>;
    close(): Promise<void>;
  }
  function readFile(path: string): Promise<Uint8Array<ArrayBuffer>>;
  function stat(path: string): Promise<{ readonly size: number }>;
  function mkdir(path: string, options: { readonly recursive: true }): Promise<string | undefined>;
  function open(path: string, flags: string): Promise<FileHandle>;
  function rename(from: string, to: string): Promise<void>;
  function rm(path: string, options: { readonly force: true }): Promise<void>;
}

declare module "node:path" {
  function basename(path: string): string;
  function join(...parts: readonly string[]): string;
}
