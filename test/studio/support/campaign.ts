import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import deBrands from "../../../studio/src/words/de/brands.json" with { type: "json" };
import deEditor from "../../../studio/src/words/de/editor.json" with { type: "json" };
import dePacks from "../../../studio/src/words/de/packs.json" with { type: "json" };
import deSession from "../../../studio/src/words/de/session.json" with { type: "json" };
import deShare from "../../../studio/src/words/de/share.json" with { type: "json" };
import enBrands from "../../../studio/src/words/en/brands.json" with { type: "json" };
import enEditor from "../../../studio/src/words/en/editor.json" with { type: "json" };
import enPacks from "../../../studio/src/words/en/packs.json" with { type: "json" };
import enSession from "../../../studio/src/words/en/session.json" with { type: "json" };
import enShare from "../../../studio/src/words/en/share.json" with { type: "json" };
import { LOGO } from "./files.ts";
import { untilGrid } from "./order.ts";
import { PASSWORD } from "./sign-up.ts";

/** An agency's journey from sign-up to a downloaded pack that its client has approved, in English or German. */

const WORDS = {
  en: { brands: enBrands, editor: enEditor, packs: enPacks, session: enSession, share: enShare },
  de: { brands: deBrands, editor: deEditor, packs: dePacks, session: deSession, share: deShare },
};
export type CampaignLanguage = keyof typeof WORDS;

export const SCREENS = [
  ...(["sign-up", "brand", "empty-editor", "editor", "sizes", "edit-in-place", "large-view"] as const),
  ...(["pack", "share", "approval", "pinned-comment", "answered", "packs"] as const),
];
export type Screen = (typeof SCREENS)[number];

export interface CampaignPlace {
  readonly browser: Browser;
  readonly options: BrowserContextOptions;
  readonly language: CampaignLanguage;
  readonly email: string;
  /** Grants credits to the new workspace. */
  readonly grant: (workspaceId: string) => Promise<void>;
  /** Called on each screen once its content is shown. */
  readonly onScreen: (page: Page, screen: Screen) => Promise<void>;
}

const STORY = "meta-story-1080x1920";
const RECTANGLE = "iab-300x250";
/** Drawing and rendering take minutes on a busy machine. */
const WAIT_MS_MAX = 600_000;

/** Opens a page in a new browser context with the journey's language. */
async function openPage({ browser, options, language }: CampaignPlace): Promise<Page> {
  const context = await browser.newContext({ ...options, locale: `${language}-DE` });
  context.setDefaultTimeout(WAIT_MS_MAX);
  return context.newPage();
}

/** Runs the whole journey. Returns the downloaded ZIP's file name. */
export async function runCampaign(place: CampaignPlace): Promise<{ readonly zipName: string }> {
  const { onScreen } = place;
  const words = WORDS[place.language];
  const page = await openPage(place);
  const press = (name: string) => page.getByRole("button", { name, exact: true }).first().click();

  await page.goto("/sign-up");
  await page.getByLabel(words.session.name).fill("Ada");
  await page.getByLabel(words.session.email).fill(place.email);
  await page.getByLabel(words.session.password).fill(PASSWORD);
  await onScreen(page, "sign-up");
  await press(words.session.signUp.submit);
  await page.waitForURL(/\/create\b/);
  const workspaceId = new URL(page.url()).pathname.split("/")[2] ?? "";
  await place.grant(workspaceId);

  await page.goto(`/w/${workspaceId}/brands`);
  await press(words.brands.new);
  // Select the dialog by its name, because a toast is a dialog too, and stays while the pointer is on it.
  const brand = page.getByRole("dialog", { name: words.brands.new });
  await brand.getByLabel(words.brands.name).fill("Velo");
  await brand.locator("input[type=file]").first().setInputFiles(LOGO);
  await brand.locator("img").first().waitFor();
  await onScreen(page, "brand");
  await press(words.brands.save);
  await brand.waitFor({ state: "detached" });

  await page.goto(`/w/${workspaceId}/create?draft=new`);
  await page.getByRole("button", { name: words.editor.files.sample }).waitFor();
  await onScreen(page, "empty-editor");
  await press(words.editor.files.sample);
  await page.getByText("pappus.png", { exact: true }).waitFor();
  await page.getByRole("combobox", { name: words.brands.brand }).click();
  await page.getByRole("option", { name: "Velo" }).click();
  await untilGrid(page, 10);
  // For this screen, move the pointer away and scroll to the top of the section.
  await page.mouse.move(0, 0);
  await page.evaluate('document.querySelector("#words h2").scrollIntoView()');
  await onScreen(page, "editor");
  await press(words.editor.sizes.choose);
  await page.getByRole("dialog").waitFor();
  await onScreen(page, "sizes");
  await press(words.editor.sizes.done);

  const tile = (sizeId: string) => page.locator(`[data-size-id="${sizeId}"] button`).first();
  await tile(RECTANGLE).click();
  await page.locator(`[role="dialog"] input, [role="dialog"] textarea`).first().fill("Two wheels");
  await page.locator(`[data-size-id="${RECTANGLE}"] canvas[aria-label*="Two wheels"]`).waitFor();
  await onScreen(page, "edit-in-place");
  await page.keyboard.press("Escape");
  await tile(STORY).focus();
  await page.keyboard.press("Space");
  await page.getByRole("dialog").waitFor();
  await onScreen(page, "large-view");
  await page.keyboard.press("Escape");

  await press(words.editor.order.order_other.replace("{{count}}", "10"));
  await page.waitForURL(/\/packs\/[0-9a-f-]+$/);
  await page.getByRole("button", { name: words.packs.pack.zip }).waitFor();
  await onScreen(page, "pack");
  await press(words.packs.pack.share);
  await page.getByLabel(words.packs.share.name).fill("Velo, spring");
  await page.getByLabel(words.packs.share.message).fill("Is the new claim fine?");
  await press(words.packs.share.submit);
  const link =
    (await page.getByRole("dialog").locator('a[target="_blank"]').first().getAttribute("href")) ?? "";
  await onScreen(page, "share");
  await page.keyboard.press("Escape");

  await reviewPack(place, new URL(link).pathname);
  await page.goto(`/w/${workspaceId}/packs`);
  await page.getByText(words.packs.state.approved, { exact: true }).first().waitFor();
  await onScreen(page, "packs");
  await page.getByRole("main").getByRole("listitem").getByRole("link").first().click();
  const coming = page.waitForEvent("download");
  await page.getByRole("button", { name: words.packs.pack.zip }).click();
  const zipName = (await coming).suggestedFilename();
  await page.context().close();
  return { zipName };
}

/** The client's part: two comments pinned to a picture, then approval of all sizes. */
async function reviewPack(place: CampaignPlace, path: string): Promise<void> {
  const { share: words } = WORDS[place.language];
  const page = await openPage(place);
  await page.goto(path);
  await page.getByRole("img").first().waitFor();
  await place.onScreen(page, "approval");
  await page.locator(`button[aria-label*="300 × 250"]`).first().click();
  const large = page.getByRole("dialog");
  for (const [text, x] of [
    ["The light is lovely here.", 60],
    ["A little more room for the logo?", 160],
  ] as const) {
    await large.getByRole("button", { name: words.pin.add }).click({ position: { x, y: 60 } });
    await large.getByLabel(words.comment.onPoint).fill(text);
    const name = large.getByLabel(words.form.name);
    if ((await name.count()) > 0) await name.fill("Mira");
    await large.getByRole("button", { name: words.comment.submit, exact: true }).click();
    await large.getByRole("listitem").filter({ hasText: text }).waitFor();
  }
  await place.onScreen(page, "pinned-comment");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: words.answer.approve_other.replace("{{count}}", "10") }).click();
  await page.getByRole("heading", { name: words.given.approved.replace("{{name}}", "Mira") }).waitFor();
  await place.onScreen(page, "answered");
  await page.context().close();
}
