import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readSample } from "../support/renderer.ts";
import { trappingModule } from "./trapping-module.ts";
import { ask, asset, type DrawnGrid, gridInputs, openTab, openTrial, type Trial } from "./trial.ts";

const RESAMPLER = readFileSync(join(import.meta.dirname, "../../src/renderer/kernels/resample.wasm"));

let trial: Trial;
beforeAll(async () => {
  const photo = readSample("dandelion.jpg");
  trial = await openTrial({
    "trap.wasm": trappingModule(RESAMPLER),
    "cut.jpg": photo.slice(0, 20_000),
    "nothing.jpg": new Uint8Array(),
    "huge.png": pngHeader(9_000, 9_000),
  });
});
afterAll(() => trial.close());

const ONE = [{ sizeId: "iab-300x250", widthPx: 300, isVisible: true }];

/** Gives the first `trapsLeft` workers a module that traps, and drops the first `silencesLeft` tasks. */
const SABOTAGE = `
  const send = Worker.prototype.postMessage;
  Object.assign(window, { trapsLeft: 0, silencesLeft: 0, started: 0, trap: null });
  window.arm = async (traps, silences) => {
    window.trap = await WebAssembly.compileStreaming(fetch("/samples/trap.wasm"));
    window.trapsLeft = traps;
    window.silencesLeft = silences;
  };
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message.type === "start") {
      window.started += 1;
      if (window.trapsLeft-- > 0) message = { ...message, core: { ...message.core, resampler: window.trap } };
    }
    if (message.type === "do" && window.silencesLeft-- > 0) return;
    return send.call(this, message, ...rest);
  };
`;

test("replaces a worker whose WebAssembly traps, and draws its task", async () => {
  const { page } = await openTab(trial, SABOTAGE);
  await page.evaluate("arm(1, 0)");
  const grid = await ask<DrawnGrid>(page, "draw", gridInputs({ sizes: ONE }));
  expect(grid.status).toBe("drawn");
  expect(grid.tiles[0]?.drawn?.width).toBe(300);
});

test("fails a grid that breaks several workers in a row, and draws it on the next request", async () => {
  const { page } = await openTab(trial, SABOTAGE);
  await page.evaluate("arm(100, 0)");
  const grid = await ask<DrawnGrid>(page, "draw", gridInputs());
  expect(grid).toMatchObject({ status: "failed", fault: { code: "ENGINE_CRASHED" } });
  // At most eight workers: a size is tried in two workers, and at most four sizes are tried before the grid fails.
  expect(await page.evaluate("started")).toBeLessThanOrEqual(8);
  await page.evaluate("arm(0, 0)");
  await page.evaluate("trial.retry()");
  const again = await ask<DrawnGrid>(page, "draw", gridInputs());
  expect(again.status).toBe("drawn");
});

/** Time after which a silent worker counts as hung; longer than any drawing in these tests. */
const SILENCE_MS_MAX = 120_000;

/** `passTime` makes workers appear silent for a given time, independent of the machine's load. */
const WATCHES = `
  const watches = new Map();
  const [setLater, clearLater] = [setTimeout, clearTimeout];
  window.setTimeout = (call, ms, ...given) => {
    const watch = setLater(call, ms, ...given);
    if (ms === ${SILENCE_MS_MAX}) watches.set(watch, call);
    return watch;
  };
  window.clearTimeout = (watch) => {
    watches.delete(watch);
    clearLater(watch);
  };
  window.passTime = () => watches.forEach((call) => call());
`;

test("replaces a silent worker once, then fails", async () => {
  const { page } = await openTab(trial, `${SABOTAGE}${WATCHES}`);
  await page.evaluate("arm(0, 1)");
  await ask(page, "open", { silenceMsMax: SILENCE_MS_MAX });
  const drawing = ask<DrawnGrid>(page, "draw", gridInputs({ sizes: ONE }));
  await expect.poll(() => page.evaluate("silencesLeft")).toBe(0);
  await page.evaluate("passTime()");
  expect((await drawing).status).toBe("drawn");
  await page.evaluate("arm(0, 100)");
  await ask(page, "open", { silenceMsMax: 200 });
  const grid = await ask<DrawnGrid>(page, "draw", gridInputs({ sizes: ONE }));
  expect(grid).toMatchObject({ status: "failed", fault: { code: "ENGINE_STALLED" } });
});

/** Sets `isRead` once the page has read a fetched file. */
const READING = `
  const read = Response.prototype.blob;
  window.isRead = false;
  Response.prototype.blob = async function () {
    const file = await read.call(this);
    setTimeout(() => { window.isRead = true; });
    return file;
  };
`;

test("cancels running and waiting tasks when the engine is closed", async () => {
  const { page } = await openTab(trial, READING);
  let answer = (): void => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/*.wasm", async (route) => {
    await answered;
    await route.continue();
  });
  await ask(page, "open", {});
  await page.evaluate('void (window.asked = trial.examine("/samples/bottle.png", "image/png"))');
  while (!(await page.evaluate("isRead")));
  await ask(page, "close");
  answer();
  const canceled = { ok: false, fault: { code: "CANCELED" } };
  expect(await page.evaluate("asked")).toMatchObject(canceled);
  expect(await ask(page, "examine", "/samples/bottle.png", "image/png")).toMatchObject(canceled);
});

test("draws again after a broken download of the engine, without a reload", async () => {
  const { page } = await openTab(trial);
  const trap = Buffer.from(trappingModule(RESAMPLER));
  await page.route("**/resample*.wasm", (route) =>
    route.fulfill({ contentType: "application/wasm", body: trap }),
  );
  const grid = await ask<DrawnGrid>(page, "draw", gridInputs({ sizes: ONE }));
  expect(grid).toMatchObject({ status: "failed", fault: { code: "ENGINE_CRASHED" } });
  await page.unroute("**/resample*.wasm");
  await page.evaluate("trial.retry()");
  expect((await ask<DrawnGrid>(page, "draw", gridInputs({ sizes: ONE }))).status).toBe("drawn");
});

test("leaves out a truncated, empty or oversized picture or one of the wrong type, and names its fault", async () => {
  const { page } = await openTab(trial);
  await ask(page, "draw", gridInputs({ sizes: ONE }));
  const faultOf = async (media: object) => {
    const { logo } = gridInputs().assets;
    const grid = await ask<DrawnGrid>(page, "draw", gridInputs({ sizes: ONE, assets: { media, logo } }));
    expect(grid.status).toBe("drawn");
    return grid.faultyFiles.media;
  };
  expect(await faultOf(asset("logo.svg", "image/png"))).toMatchObject({
    code: "NOT_WHAT_IT_CLAIMS",
    slot: "media",
  });
  expect(await faultOf(asset("cut.jpg", "image/jpeg"))).toMatchObject({ code: "TRUNCATED", slot: "media" });
  expect(await faultOf(asset("nothing.jpg", "image/jpeg"))).toMatchObject({ code: "EMPTY", slot: "media" });
  expect(await faultOf(asset("huge.png", "image/png"))).toMatchObject({ slot: "media" });
  expect((await ask<DrawnGrid>(page, "draw", gridInputs({ sizes: ONE }))).status).toBe("drawn");
  const facts = await ask<object>(page, "examine", "/samples/cut.jpg", "image/jpeg");
  expect(facts).toMatchObject({ ok: false, fault: { code: "TRUNCATED" } });
});

/** Resends each worker's first picture report with every task, like a slow worker. */
const LATE_REPORTS = `
  let report;
  const send = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message.type === "start")
      this.addEventListener("message", ({ data }) => { if (data.type === "pictures") report ??= data; });
    if (report) this.dispatchEvent(new MessageEvent("message", { data: report }));
    return send.call(this, message, ...rest);
  };
`;

test("still names a faulty file after a late report about earlier files", async () => {
  const { page } = await openTab(trial, LATE_REPORTS);
  await ask(page, "draw", gridInputs({ sizes: ONE }));
  const faulty = gridInputs({
    sizes: ONE,
    assets: { ...gridInputs().assets, logo: asset("cut.jpg", "image/jpeg") },
  });
  await ask(page, "draw", faulty);
  await ask(page, "examine", "/samples/bottle.png", "image/png");
  expect((await ask<DrawnGrid>(page, "draw", faulty)).faultyFiles.logo).toMatchObject({ code: "TRUNCATED" });
});

test("reports the engine as unreachable while offline, and draws once online again", async () => {
  const { page } = await openTab(trial);
  await page.route("**/*.wasm", (route) => route.abort("internetdisconnected"));
  const grid = await ask<DrawnGrid>(page, "draw", gridInputs({ sizes: ONE }));
  expect(grid).toMatchObject({ status: "failed", fault: { code: "ENGINE_UNREACHABLE" } });
  await page.unroute("**/*.wasm");
  await page.evaluate('dispatchEvent(new Event("online"))');
  expect((await ask<DrawnGrid>(page, "draw", gridInputs({ sizes: ONE }))).status).toBe("drawn");
});

test("reports unreachable fonts only for sizes that need them", async () => {
  const { page } = await openTab(trial);
  await page.route("**/fonts/**", (route) => route.abort("internetdisconnected"));
  const grid = await ask<DrawnGrid>(page, "draw", gridInputs({ sizes: ONE, look: "editorial" }));
  expect(grid.tiles[0]?.fault).toMatchObject({ code: "FONTS_UNREACHABLE" });
  expect((await ask<DrawnGrid>(page, "draw", gridInputs({ sizes: ONE }))).status).toBe("drawn");
});

test("fails a size whose text cannot be set, and draws the others", async () => {
  const { page } = await openTab(trial);
  const sizes = ["iab-120x60", "meta-feed-1080x1080"].map((sizeId) => ({
    sizeId,
    widthPx: 320,
    isVisible: true,
  }));
  const headline = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnung";
  const grid = await ask<DrawnGrid>(page, "draw", gridInputs({ sizes, copy: { headline } }));
  expect(grid.status).toBe("drawn");
  expect(grid.tiles.map(({ fault }) => fault?.code ?? null)).toEqual(["HEADLINE_DOES_NOT_FIT", null]);
});

/** A PNG of these dimensions that ends after its header. */
function pngHeader(width: number, height: number): Uint8Array {
  const bytes = new Uint8Array(33);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  const view = new DataView(bytes.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  bytes.set([8, 2, 0, 0, 0], 24);
  return bytes;
}
