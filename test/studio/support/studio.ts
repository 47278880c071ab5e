import type { APIResponse, Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { grantStatement } from "#domains/workspaces/create-workspace.ts";
import { openBrowser, type WatchedPage, watchPage } from "../../conformance/support/browser.ts";
import { type Person, seedPerson } from "../../conformance/support/people.ts";
import { type Service, type ServiceOptions, startService } from "../../conformance/support/service.ts";

/** The built worker with its Studio, and a browser to visit it. */
export interface Studio {
  readonly service: Service;
  readonly browser: Browser;
  /** Ends both; throws where the worker logged what it must not. */
  readonly close: () => Promise<void>;
}

export async function openStudio(options: ServiceOptions = {}): Promise<Studio> {
  const [service, browser] = await Promise.all([startService(options), openBrowser()]);
  return {
    service,
    browser,
    close: async () => {
      await browser.close();
      await service.stop();
    },
  };
}

/** An operator's grant: no page and no route can make one. */
export const grant = ({ service }: Studio, workspaceId: string, credits: number): Promise<unknown> =>
  grantStatement(service.db, workspaceId, credits, Date.now()).run();

/** A browser's profile of its own with one page, on the way to nowhere yet. */
export interface Visitor extends WatchedPage {
  readonly context: BrowserContext;
}

/**
 * How long is waited for one thing: a machine that is busy with other tests draws ten sizes in a quarter of a minute, and
 * nothing here is to fail for that.
 */
const WAIT_MS_MAX = 90_000;

export const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** Somebody whom the service does not know: no cookie, nothing kept. */
export async function openVisitor(studio: Studio, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await studio.browser.newContext({
    viewport: DESKTOP,
    locale: "en-GB",
    reducedMotion: "reduce",
    // Tests that change answers must see all requests, and those of a service worker are hidden from them.
    serviceWorkers: "block",
    baseURL: studio.service.origin,
    ...options,
  });
  context.setDefaultTimeout(WAIT_MS_MAX);
  return { context, ...(await watchPage(await context.newPage(), studio.service.origin)) };
}

/**
 * What a visitor's pages did wrong, where a test breaks some of their requests: without the browser's own line on each of
 * those.
 */
export const pageFaults = ({ faults }: WatchedPage): readonly string[] =>
  faults().filter((fault) => !fault.startsWith("console: Failed to load resource"));

/** Another page of the same profile. */
export const openTab = async (studio: Studio, { context }: Visitor): Promise<Visitor> => ({
  context,
  ...(await watchPage(await context.newPage(), studio.service.origin)),
});

/** Asks the API of accounts as a page of the visitor's would. */
export const postAs = (
  { service }: Studio,
  { context }: Pick<Visitor, "context">,
  path: string,
  data?: object,
): Promise<APIResponse> =>
  context.request.post(`${service.origin}/api/account/${path}`, {
    headers: { Origin: service.origin },
    data,
  });

export interface SignedIn extends Visitor {
  readonly person: Person;
}

/** Somebody who is signed in, with credits to spend. */
export async function openSignedIn(
  studio: Studio,
  credits: number,
  options: BrowserContextOptions = {},
): Promise<SignedIn> {
  const person = await seedPerson(studio.service);
  if (credits > 0) await grant(studio, person.workspaceId, credits);
  const visitor = await openVisitor(studio, options);
  await signInWith(studio, visitor.context, person.cookie);
  return { ...visitor, person };
}

/** Hands a profile the cookie of a session, and what its pages note when somebody signs in. */
export async function signInWith(studio: Studio, context: BrowserContext, cookie: string): Promise<void> {
  const at = cookie.indexOf("=");
  const [name, value] = [cookie.slice(0, at), cookie.slice(at + 1)];
  await context.addCookies([{ name, value, url: studio.service.origin, httpOnly: true, sameSite: "Lax" }]);
  const page = await context.newPage();
  // Any address of the origin will do; this one runs no script.
  await page.goto(`${studio.service.origin}/openapi.json`);
  await page.evaluate('localStorage.setItem("creative-packs.signed-in", "yes")');
  await page.close();
}

/** The page of a workspace. */
export const openWorkspace = (page: Page, workspaceId: string, name: string): Promise<unknown> =>
  page.goto(`/w/${workspaceId}/${name}`);
