import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type Service, startService } from "./service.ts";

/** A place to run code from documents. */
export interface ShownPlace {
  readonly service: Service;
  /** Folder in which the code runs as in a clone of this repository, with the samples and the client library. */
  readonly folder: string;
}

/** Lets programs in the folder import the client library by the package's name. Its build is tested in test/sdk. */
async function linkClient(folder: string): Promise<void> {
  const linked = join(folder, "node_modules/creative-packs");
  await mkdir(linked, { recursive: true });
  await symlink(resolve("sdk/src"), join(linked, "src"));
  await writeFile(join(linked, "package.json"), '{ "type": "module", "exports": "./src/index.ts" }');
}

/** A place for a file's tests, created before they run and deleted after them. */
export function useShownPlace(): () => ShownPlace {
  let place: ShownPlace | null = null;
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), "creative-packs-shown-"));
    await symlink(resolve("samples"), join(folder, "samples"));
    await linkClient(folder);
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
