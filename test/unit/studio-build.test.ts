import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ASSETS_FOLDER, inRoot } from "../../scripts/local/paths.ts";

/** Tests and deployments get the same Studio files as users. */

it("the scripts contain the production builds of the libraries", () => {
  const scripts = globSync("studio/*.js", { cwd: inRoot(ASSETS_FOLDER) });
  expect(scripts.length).toBeGreaterThan(10);
  for (const script of scripts) {
    const text = readFileSync(inRoot(`${ASSETS_FOLDER}/${script}`), "utf8");
    expect(text.includes("Download the React DevTools"), script).toBe(false);
  }
});

it("all drawing code is in the folder that the worker does not serve while LIVE_PREVIEWS is off", () => {
  const engine = globSync("**/{*.wasm,*.weights,drawing-worker-*,UPNG-*}", { cwd: inRoot(ASSETS_FOLDER) });
  expect(engine.length).toBeGreaterThan(12);
  expect(engine.filter((path) => !path.startsWith("studio/engine/"))).toEqual([]);
  const [, first = ""] =
    /^run_worker_first = (\[.*\])$/m.exec(readFileSync(inRoot("wrangler.toml"), "utf8")) ?? [];
  expect(JSON.parse(first)).toContain("/studio/engine/*");
});

it("the service worker and the worker agree on which paths are not pages of the Studio", () => {
  const pathsIn = (path: string) =>
    /^const NON_STUDIO_PATHS = (.+);$/m.exec(readFileSync(inRoot(path), "utf8"))?.[1];
  const ofServiceWorker = pathsIn("studio/public/service-worker.js");
  expect(ofServiceWorker).toContain("api");
  expect(ofServiceWorker).toBe(pathsIn("src/interface/http/studio-page.ts"));
});
