import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Override, Placements } from "../index.ts";
import { memoizePerKey } from "./memoize-per-key.ts";
import { UsageError } from "./usage-error.ts";

/** The API's maximum size of a request; no member can be larger. */
const DESIGN_BYTES_MAX = 65_536;

/** Reads object members of a request, given as JSON or as the path of a JSON file. Each file is read once. */
export class DesignReader {
  readonly #folder: string;
  readonly #files = new Map<string, Promise<string>>();

  /** `folder`: paths are relative to it. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Throws a `UsageError` for anything except a JSON object. The service validates its members. */
  async placements(given: string): Promise<Placements> {
    return (await this.#read("placements", given)) as Placements;
  }

  /** Like `placements`, but reads the settings of single sizes. */
  async overrides(given: string): Promise<Record<string, Override>> {
    return (await this.#read("overrides", given)) as Record<string, Override>;
  }

  async #read(name: string, given: string): Promise<object> {
    if (given.startsWith("{")) return parseObject(name, given);
    const path = resolve(this.#folder, given);
    const text = await memoizePerKey(this.#files, path, () => readDesign(name, path));
    return parseObject(`${name}: ${path}`, text);
  }
}

async function readDesign(name: string, path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  if (found?.isFile() !== true) {
    throw new UsageError(`${name}: there is no file ${path}. Give its path, or JSON that begins with {.`);
  }
  if (found.size > DESIGN_BYTES_MAX) {
    throw new UsageError(
      `${name}: ${path} is larger than ${DESIGN_BYTES_MAX} bytes, which a request may have.`,
    );
  }
  return (await readFile(path, "utf8")).replace(/^\uFEFF/, "");
}

function parseObject(source: string, text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${source} is not valid JSON: ${reason}`, { cause: error });
  }
  if (isObject(value)) return value;
  throw new UsageError(
    `${source} is not an object of JSON, as {"media": {"focalPoint": {"x": 0.5, "y": 0.3}}}.`,
  );
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
