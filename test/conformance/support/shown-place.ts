import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type Service, startService } from "./service.ts";

/** Where code that documents show is run. */
export interface ShownPlace {
  readonly service: Service;
  /** Like a clone of this repository to what is shown: with its samples, without its files. */
  readonly folder: string;
}

/** A place for the tests of a file: it stands once they run, and goes with them. */
export function useShownPlace(): () => ShownPlace {
  let place: ShownPlace | null = null;
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), "creative-packs-shown-"));
    await mkdir(join(folder, ".wrangler"));
    await symlink(resolve("samples"), join(folder, "samples"));
    place = { service: await startService(), folder };
  });
  afterAll(async () => {
    await place?.service.stop();
    if (place !== null) await rm(place.folder, { recursive: true, force: true });
  });
  return () => {
    if (place === null) throw new Error("the place does not stand yet");
    return place;
  };
}
