/**
 * Takes screenshots of the Studio in a real browser, with the real worker: npm run studio:pictures
 *
 * Writes each screen in three widths, both themes and both languages to .cache/studio-pictures, and the images of
 * docs/studio.md.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { openBrowser } from "../../test/conformance/support/browser.ts";
import { type CampaignLanguage, runCampaign, type Screen } from "../../test/studio/support/campaign.ts";
import { runScript } from "../local/failure.ts";
import { migrateLocal } from "../local/migrate.ts";
import { inRoot } from "../local/paths.ts";
import { ensureLocalSecrets } from "../local/secrets.ts";
import { requireTool } from "../local/tool.ts";
import { startLocalWorker } from "../local/worker.ts";
import { makeAssets } from "./assets.ts";
import { savePicture } from "./studio/save-picture.ts";

const STATE_FOLDER = inRoot(`.wrangler/pictures/${process.pid}`);
const FOLDER = inRoot(".cache/studio-pictures");
const CREDITS = "120";
const DESKTOP = { width: 1440, height: 900 };
const WINDOWS = [DESKTOP, { width: 1024, height: 768 }, { width: 390, height: 844 }];
const THEMES = ["light", "dark"] as const;

/** Images of docs/studio.md, by the name of their screen in FOLDER. */
const DOCUMENTED: Readonly<Record<string, string>> = {
  "en-editor-1440-light": "editor",
  "en-pack-1440-light": "pack",
  "en-pinned-comment-1440-light": "review",
  "de-editor-390-dark": "phone",
};

const grant = async (workspaceId: string): Promise<void> => {
  const options = ["--workspace", workspaceId, "--credits", CREDITS, "--reference", "pictures"];
  await requireTool("Granting credits", "node", [
    inRoot("scripts/operate/workspace.ts"),
    "grant",
    ...options,
    "--persist-to",
    STATE_FOLDER,
  ]);
};

/** Elements in the window that are still loading or rendering. */
const DRAWING = `[...document.querySelectorAll("[data-skeleton], [aria-busy=true], img")].filter((one) => {
  const { top, bottom } = one.getBoundingClientRect();
  return bottom > 0 && top < innerHeight && !(one instanceof HTMLImageElement && one.complete);
}).length`;
const LOOK_AGAIN_MS = 250;

/**
 * Waits until nothing in the window is loading or rendering. Polls from here, because the page's CSP blocks
 * `waitForFunction`.
 */
async function untilQuiet(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  do await delay(LOOK_AGAIN_MS);
  while ((await page.evaluate<number>(DRAWING)) > 0);
}

/** Written at the end, because a change in docs/ rebuilds the worker, which loses the pack in progress. */
const documented = new Map<string, Buffer>();

/** Captures the screen in every window and theme, then restores the first window. */
async function takeScreen(page: Page, language: CampaignLanguage, screen: Screen): Promise<void> {
  for (const window of WINDOWS)
    for (const colorScheme of THEMES) {
      await page.setViewportSize(window);
      await page.emulateMedia({ colorScheme });
      await untilQuiet(page);
      const name = `${language}-${screen}-${window.width}-${colorScheme}`;
      const png = await page.screenshot();
      writeFileSync(`${FOLDER}/${name}.png`, png);
      const picture = DOCUMENTED[name];
      if (picture !== undefined) documented.set(picture, png);
    }
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ colorScheme: "light" });
}

async function takeAll(browser: Browser, origin: string): Promise<void> {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const language of ["en", "de"] as const) {
    await runCampaign({
      browser,
      options: { baseURL: origin, reducedMotion: "reduce", deviceScaleFactor: 1.5, viewport: DESKTOP },
      language,
      email: `ada-${language}@packs.example`,
      grant,
      onScreen: async (page, screen) => takeScreen(page, language, screen),
    });
    console.log(`${FOLDER}: screens in ${language}`);
  }
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
  // Hinting would space letters unevenly at 1.5 pixels per point.
  const browser = await openBrowser(["--font-render-hinting=none"]);
  try {
    await takeAll(browser, worker.origin);
  } finally {
    await browser.close();
    await worker.stop();
  }
  for (const [name, png] of documented) await savePicture(png, inRoot(`docs/studio-${name}.webp`));
});
