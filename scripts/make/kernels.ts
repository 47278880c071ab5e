/**
 * Compiles src/renderer/kernels/<name>/index.ts to src/renderer/kernels/<name>.wasm. Run: npm run kernels
 *
 * `--check` changes nothing and fails if a committed file differs from its source.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import asc from "assemblyscript/asc";
import { readCheckOption } from "../local/check-option.ts";
import { runScript } from "../local/failure.ts";
import { graftMozjpeg } from "./kernels/graft-mozjpeg.ts";
import { joinMinih264 } from "./kernels/join-minih264.ts";

const isCheck = readCheckOption();
const KERNELS = "src/renderer/kernels";

/**
 * `stub`: no garbage collector, since kernels manage their own memory. Assertions are off, because they would trap
 * instead of returning a status.
 */
const FLAGS = ["--runtime", "stub", "--enable", "simd", "-O3", "--converge", "--noAssert", "--use", "abort="];

/** Kernels that are merged into a library's compiled module. */
const JOINED: Readonly<Record<string, (kernel: Uint8Array) => Uint8Array>> = {
  h264: joinMinih264,
  mozjpeg: graftMozjpeg,
};

async function compile(source: string, folder: string): Promise<Uint8Array> {
  const outFile = join(folder, "kernel.wasm");
  const messages: string[] = [];
  const stderr = { write: (text: string | Uint8Array): boolean => messages.push(String(text)) > 0 };
  const { error } = await asc.main([source, ...FLAGS, "--outFile", outFile], { stderr });
  if (error !== null) throw new Error(`${source} does not compile.\n${messages.join("")}`);
  return readFileSync(outFile);
}

await runScript(async () => {
  const folder = mkdtempSync(join(tmpdir(), "kernels-"));
  try {
    const names = readdirSync(KERNELS, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const stale: string[] = [];
    for (const { name } of names) {
      const path = join(KERNELS, `${name}.wasm`);
      const kernel = await compile(join(KERNELS, name, "index.ts"), folder);
      const compiled = JOINED[name]?.(kernel) ?? kernel;
      const isSame = existsSync(path) && Buffer.compare(readFileSync(path), compiled) === 0;
      if (!isSame && isCheck) stale.push(path);
      if (!isSame && !isCheck) writeFileSync(path, compiled);
      if (!isCheck) console.log(`${path} ${compiled.length} bytes`);
    }
    if (stale.length > 0)
      throw new Error(`Not what the source gives: ${stale.join(", ")}. Run npm run kernels.`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
