import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { cpuMsOfTree } from "../clock/process-figures.ts";

/** A headless browser that takes screenshots, over the DevTools protocol (chromedevtools.github.io/devtools-protocol). */
export interface Chromium {
  /** Of the browser and all its processes. */
  readonly cpuMs: () => number;
  /** Opens a file and gives a JPEG of it. */
  readonly screenshot: (url: string, width: number, height: number, quality: number) => Promise<Buffer>;
  readonly stop: () => Promise<void>;
}

/** Where Linux distributions put it. */
const PATHS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const START_MS_MAX = 30_000;

export const findChromium = (): string | null => PATHS.find((path) => existsSync(path)) ?? null;

/** The address that a starting browser writes down, or null when it does not within the time. */
async function debuggerAddress(folder: string): Promise<string | null> {
  const path = join(folder, "DevToolsActivePort");
  for (let waitedMs = 0; waitedMs < START_MS_MAX; waitedMs += 50) {
    const [port, target] = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
    if (port && target) return `ws://127.0.0.1:${port}${target}`;
    await delay(50);
  }
  return null;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

/** A connection that numbers its commands, and lets wait for one event at a time. */
async function connect(address: string) {
  const socket = new WebSocket(address);
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve(), { once: true });
    socket.addEventListener("error", () => reject(new Error("the browser takes no connection")), {
      once: true,
    });
  });
  const commands = new Map<number, (message: Message) => void>();
  const events = new Map<string, () => void>();
  socket.addEventListener("message", ({ data }) => {
    const message: Message = JSON.parse(String(data));
    if (message.id !== undefined) commands.get(message.id)?.(message);
    else if (message.method !== undefined) events.get(message.method)?.();
  });
  let count = 0;
  return {
    send: (method: string, params: object = {}, sessionId?: string) => {
      count += 1;
      const id = count;
      socket.send(JSON.stringify({ id, method, params, sessionId }));
      return new Promise<Readonly<Record<string, unknown>>>((resolve, reject) => {
        commands.set(id, ({ result, error }) => {
          commands.delete(id);
          if (error === undefined) resolve(result ?? {});
          else reject(new Error(`${method}: ${error.message}`));
        });
      });
    },
    next: (method: string) => new Promise<void>((resolve) => events.set(method, resolve)),
    close: () => socket.close(),
  };
}

async function end(child: ChildProcess, folder: string): Promise<void> {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

export async function startChromium(path: string): Promise<Chromium> {
  const folder = await mkdtemp(join(tmpdir(), "creative-packs-chromium-"));
  const child = spawn(
    path,
    [
      "--headless=new",
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--hide-scrollbars",
      "--disable-dev-shm-usage",
      "--disable-extensions",
      "--remote-debugging-port=0",
      ...[`--user-data-dir=${folder}`, "about:blank"],
    ],
    { stdio: "ignore" },
  );
  const { pid } = child;
  const address = pid === undefined ? null : await debuggerAddress(folder);
  if (pid === undefined || address === null) {
    await end(child, folder);
    throw new Error(`${path} did not start`);
  }
  const browser = await connect(address);
  const { targetId } = await browser.send("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await browser.send("Target.attachToTarget", { targetId, flatten: true });
  const page = (method: string, params: object = {}) => browser.send(method, params, String(sessionId));
  await page("Page.enable");
  return {
    cpuMs: () => cpuMsOfTree(pid),
    screenshot: async (url, width, height, quality) => {
      await page("Emulation.setDeviceMetricsOverride", {
        width,
        height,
        deviceScaleFactor: 1,
        mobile: false,
      });
      const loaded = browser.next("Page.loadEventFired");
      await page("Page.navigate", { url });
      await loaded;
      const { data } = await page("Page.captureScreenshot", { format: "jpeg", quality });
      return Buffer.from(String(data), "base64");
    },
    stop: async () => {
      browser.close();
      await end(child, folder);
    },
  };
}
