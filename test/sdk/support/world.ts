import { WINDOW_NAMES, windowVariable } from "#api/limits.ts";
import { type ClientOptions, CreativePacks } from "../../../sdk/src/index.ts";
import { seedWorkspace } from "../../conformance/support/arrange.ts";
import { LOGO_SVG } from "../../conformance/support/files.ts";
import { type Service, startService } from "../../conformance/support/service.ts";

/** The built worker, and clients of new workspaces. */
export interface World {
  readonly service: Service;
  /** A client of a new workspace with a number of credits. */
  readonly client: (credits: number, options?: ClientOptions) => Promise<CreativePacks>;
  readonly clientOf: (apiKey: string) => CreativePacks;
  /** The key of a new workspace. */
  readonly key: (credits: number) => Promise<string>;
}

export const LOGO = LOGO_SVG;

/** The smallest size, which renders fastest. */
export const SMALL = { contractId: "display.v1", selectedSizeIds: ["iab-320x50"] } as const;

export async function startWorld(): Promise<World> {
  const windows = Object.fromEntries(WINDOW_NAMES.map((name) => [windowVariable(name), "1000000"]));
  const service = await startService({ vars: windows });
  const key = async (credits: number): Promise<string> => (await seedWorkspace(service, { credits })).key;
  return {
    service,
    key,
    clientOf: (apiKey) => new CreativePacks({ apiKey, baseUrl: service.origin }),
    client: async (credits, options = {}) =>
      new CreativePacks({ apiKey: await key(credits), baseUrl: service.origin, ...options }),
  };
}

/** Collects all items of a list. */
export async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of list) items.push(item);
  return items;
}
