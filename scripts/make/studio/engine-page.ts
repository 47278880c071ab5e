import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { build } from "vite";
import { inRoot, SDK_SOURCES } from "../../local/paths.ts";
import { packagedLibrary } from "../fonts/make-library.ts";
import { STUDIO_POLICY } from "../site/headers.ts";

/** A page with only the Studio's engine (`studio/trial/`), served with the Studio's CSP, for tests and benchmarks. */
export interface EnginePage {
  readonly origin: string;
  /** Built files by name. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly close: () => Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".wasm": "application/wasm",
};

/** Builds and serves the page. `samples`: further files by path. */
export async function openEnginePage(samples: ReadonlyMap<string, Uint8Array>): Promise<EnginePage> {
  const files = await buildPage();
  const fonts = packagedLibrary();
  const server = createServer(async ({ url = "/" }, response) => {
    const { pathname } = new URL(url, "http://localhost");
    const path = pathname === "/" ? "/index.html" : pathname;
    const bytes =
      files.get(path) ??
      samples.get(path) ??
      (path.startsWith("/fonts/") ? await fonts.load(path.slice("/fonts/".length)).catch(() => null) : null);
    response.setHeader("Content-Security-Policy", STUDIO_POLICY);
    response.setHeader("Content-Type", TYPES[extname(path)] ?? "application/octet-stream");
    response.writeHead(bytes === null ? 404 : 200).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a server that listens has a port");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    files,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function buildPage(): Promise<ReadonlyMap<string, Uint8Array>> {
  const folder = await mkdtemp(join(tmpdir(), "creative-packs-engine-"));
  try {
    const built = await build({
      configFile: false,
      root: inRoot("studio/trial"),
      cacheDir: inRoot("node_modules/.vite-engine"),
      logLevel: "warn",
      resolve: { alias: SDK_SOURCES },
      build: {
        outDir: folder,
        emptyOutDir: true,
        target: "es2023",
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
      },
      worker: { format: "es" },
    });
    const outputs = Array.isArray(built) ? built : [built];
    const names = outputs.flatMap((one) =>
      "output" in one ? one.output.map(({ fileName }) => fileName) : [],
    );
    const read = await Promise.all(
      names.map(async (name) => [`/${name}`, await readFile(join(folder, name))] as const),
    );
    return new Map(read);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
