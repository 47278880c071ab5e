import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);
const OUTPUT_BYTES_MAX = 512 * 1024 * 1024;

/** Output of a program of ffmpeg; throws if it is not installed. */
export async function runFfmpeg(program: "ffmpeg" | "ffprobe", options: readonly string[]): Promise<Buffer> {
  try {
    const { stdout } = await run(program, ["-v", "error", ...options], {
      encoding: "buffer",
      maxBuffer: OUTPUT_BYTES_MAX,
    });
    return stdout;
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT")
      throw new Error(`${program} is missing, and the tests of videos need it: apt-get install ffmpeg`);
    throw thrown;
  }
}
