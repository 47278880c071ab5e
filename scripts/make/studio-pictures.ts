/** Takes the pictures of docs/studio.md in a real browser, from the real worker: npm run studio:pictures */
import { rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { openBrowser } from "../../test/conformance/support/browser.ts";
import { loadSample, orderButton, untilPack } from "../../test/studio/support/order.ts";
import { signUpOnPage } from "../../test/studio/support/sign-up.ts";
import { runScript } from "../local/failure.ts";
import { migrateLocal } from "../local/migrate.ts";
import { inRoot } from "../local/paths.ts";
import { ensureLocalSecrets } from "../local/secrets.ts";
import { requireTool } from "../local/tool.ts";
import { startLocalWorker } from "../local/worker.ts";
import { makeAssets } from "./assets.ts";
import { savePicture } from "./studio/save-picture.ts";

const STATE_FOLDER = inRoot(`.wrangler/pictures/${process.pid}`);
const CREDITS = 120;
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** Shown by no picture. */
const PERSON = { name: "Ada", email: "ada@packs.example" };

/** Signs up as people do, with credits to spend. Gives the workspace. */
async function signUp(page: Page): Promise<string> {
  await page.goto("/sign-up");
  await signUpOnPage(page, PERSON.name, PERSON.email);
  await page.waitForURL(/\/create\b/);
  const workspaceId = new URL(page.url()).pathname.split("/")[2] ?? "";
  const grant = ["--workspace", workspaceId, "--credits", String(CREDITS), "--reference", "pictures"];
  await requireTool("Granting credits", "node", [
    inRoot("scripts/operate/workspace.ts"),
    "grant",
    ...grant,
    "--persist-to",
    STATE_FOLDER,
  ]);
  return workspaceId;
}

/** What of the page is in the window and still being drawn or fetched. */
const DRAWING = `[...document.querySelectorAll(".animate-pulse, [aria-busy=true], img")].filter((one) => {
  const { top, bottom } = one.getBoundingClientRect();
  return bottom > 0 && top < innerHeight && !(one instanceof HTMLImageElement && one.complete);
}).length`;
const LOOK_AGAIN_MS = 250;
const DRAWING_MS_MAX = 600_000;

/** Nothing in the window is loading or being drawn. The page's own policy lets a script wait, but not evaluate. */
async function untilQuiet(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  do await delay(LOOK_AGAIN_MS);
  while ((await page.evaluate<number>(DRAWING)) > 0);
}

/** Pictures by their names. Written at the end: the worker is built anew when docs/ changes, and loses what it was drawing. */
const pictures = new Map<string, Buffer>();

async function take(page: Page, name: string): Promise<void> {
  await untilQuiet(page);
  pictures.set(name, await page.screenshot());
}

async function writePictures(): Promise<void> {
  for (const [name, png] of pictures) {
    const file = `docs/studio-${name}.webp`;
    await savePicture(png, inRoot(file));
    console.log(file);
  }
}

/** Makes a link for approval on the pack's page, and gives its path. */
async function shareOf(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Share for approval" }).click();
  await page.getByLabel("Name of the link").fill("Spring campaign, for Mira");
  await page.getByRole("button", { name: "Create link" }).click();
  const link = await page.getByRole("dialog").locator("input[readonly]").inputValue();
  await page.keyboard.press("Escape");
  return new URL(link).pathname;
}

async function takeAll(browser: Browser, origin: string): Promise<void> {
  const options: BrowserContextOptions = {
    baseURL: origin,
    locale: "en-GB",
    reducedMotion: "reduce",
    deviceScaleFactor: 1.5,
    viewport: DESKTOP,
    colorScheme: "light",
  };
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const workspaceId = await signUp(page);
  await page.goto(`/w/${workspaceId}/create`);
  await loadSample(page);
  await orderButton(page).waitFor();
  await take(page, "editor");
  await orderButton(page).click();
  // Minutes, where the machine has other work.
  await page.waitForURL(/\/packs\/[0-9a-f-]+$/, { timeout: DRAWING_MS_MAX });
  await untilPack(page);
  await take(page, "pack");
  const path = await shareOf(page);

  const visitor = await browser.newContext(options);
  const review = await visitor.newPage();
  await review.goto(path);
  await take(review, "review");

  const phone = await browser.newContext({
    ...options,
    viewport: PHONE,
    locale: "de-DE",
    colorScheme: "dark",
    deviceScaleFactor: 2,
    storageState: await context.storageState(),
  });
  const small = await phone.newPage();
  await small.goto(`/w/${workspaceId}/packs`);
  await take(small, "phone");
}

await runScript(async () => {
  process.on("exit", () => rmSync(STATE_FOLDER, { recursive: true, force: true }));
  await ensureLocalSecrets();
  await makeAssets();
  await migrateLocal(STATE_FOLDER);
  const worker = await startLocalWorker({
    stateFolder: STATE_FOLDER,
    logPath: `${STATE_FOLDER}/worker.log`,
    port: 0,
  });
  const browser = await openBrowser();
  try {
    await takeAll(browser, worker.origin);
  } finally {
    await browser.close();
    await worker.stop();
  }
  await writePictures();
});
