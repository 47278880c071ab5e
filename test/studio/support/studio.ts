import type { APIResponse, Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { grantStatement } from "#domains/workspaces/create-workspace.ts";
import { openBrowser, type WatchedPage, watchPage } from "../../conformance/support/browser.ts";
import { type Person, seedPerson } from "../../conformance/support/people.ts";
import { type Service, type ServiceOptions, startService } from "../../conformance/support/service.ts";

/** The built worker with its Studio, and a browser. */
export interface Studio {
  readonly service: Service;
  readonly browser: Browser;
  /** Stops both. Throws if the worker logged anything forbidden. */
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

/** Grants credits as an operator does, because no page or route can. */
export const grant = ({ service }: Studio, workspaceId: string, credits: number): Promise<unknown> =>
  grantStatement(service.db, workspaceId, credits, Date.now()).run();

/** A browser context with one blank page. */
export interface Visitor extends WatchedPage {
  readonly context: BrowserContext;
}

/** Timeout of a single wait. Generous: a machine busy with other tests draws ten sizes in 15 s. */
const WAIT_MS_MAX = 90_000;

export const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** A visitor without cookies or stored data. */
export async function openVisitor(studio: Studio, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await studio.browser.newContext({
    viewport: DESKTOP,
    locale: "en-GB",
    reducedMotion: "reduce",
    // Service workers are blocked for tests that change responses, because their requests are invisible to tests.
    serviceWorkers: "block",
    baseURL: studio.service.origin,
    ...options,
  });
  context.setDefaultTimeout(WAIT_MS_MAX);
  return { context, ...(await watchPage(await context.newPage(), studio.service.origin)) };
}

/** Errors of a visitor's pages, without the browser's messages about failed requests. For tests that break requests. */
export const pageFaults = ({ faults }: WatchedPage): readonly string[] =>
  faults().filter((fault) => !fault.startsWith("console: Failed to load resource"));

/** Another page in the same context. */
export const openTab = async (studio: Studio, { context }: Visitor): Promise<Visitor> => ({
  context,
  ...(await watchPage(await context.newPage(), studio.service.origin)),
});

/** Calls the account API as a page of the visitor would. */
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

/** A signed-in visitor with credits. */
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

/** Gives a context a session cookie, and the note that pages store at sign-in. */
export async function signInWith(studio: Studio, context: BrowserContext, cookie: string): Promise<void> {
  const at = cookie.indexOf("=");
  const [name, value] = [cookie.slice(0, at), cookie.slice(at + 1)];
  await context.addCookies([{ name, value, url: studio.service.origin, httpOnly: true, sameSite: "Lax" }]);
  const page = await context.newPage();
  // Any page of the origin will do; this one runs no script.
  await page.goto(`${studio.service.origin}/openapi.json`);
  await page.evaluate('localStorage.setItem("creative-packs.signed-in", "yes")');
  await page.close();
}

/** Opens a page of the workspace. */
export const openWorkspace = (page: Page, workspaceId: string, name: string): Promise<unknown> =>
  page.goto(`/w/${workspaceId}/${name}`);
