import { spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdir, readFile, symlink } from "node:fs/promises";
import { createConnection } from "node:net";
import { dirname, join, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Failure } from "../../local/failure.ts";
import { freePort } from "../../local/ports.ts";

/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534;
const READY_MS_MAX = 30_000;

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection({ host: "127.0.0.1", port });
    socket.on("connect", () => resolve(true)).on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });

/** Creates symbolic links to libraries. npm packages cannot contain them, and the install script is disabled. */
async function linkLibraries(native: string): Promise<void> {
  const links: readonly { source: string; target: string }[] = JSON.parse(
    await readFile(join(native, "pg-symlinks.json"), "utf8"),
  );
  for (const { source, target } of links) {
    const [from, to] = [join(dirname(native), source), join(dirname(native), target)];
    await symlink(relative(dirname(to), from), to).catch(() => undefined);
  }
}

/** Starts PostgreSQL with a new database in the folder. */
export async function startPostgres(native: string, folder: string) {
  await linkLibraries(native);
  await mkdir(folder, { recursive: true });
  const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if ("uid" in identity) await chown(folder, NOBODY, NOBODY);
  const data = join(folder, "data");
  const start = (program: string, parameters: readonly string[]) =>
    spawn(join(native, "bin", program), parameters, { cwd: folder, stdio: "ignore", ...identity });
  const [code] = await once(
    start("initdb", ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8"]),
    "exit",
  );
  if (code !== 0) throw new Failure(`initdb ended with ${code}`);
  const port = await freePort();
  const server = start("postgres", ["-D", data, "-p", `${port}`, "-h", "127.0.0.1", "-k", folder]);
  for (let waitedMs = 0; !(await isOpen(port)); waitedMs += 100) {
    if (waitedMs > READY_MS_MAX || server.exitCode !== null) throw new Failure("PostgreSQL did not start");
    await delay(100);
  }
  const stop = async () => {
    server.kill("SIGINT");
    await once(server, "exit");
  };
  return { port, stop };
}
