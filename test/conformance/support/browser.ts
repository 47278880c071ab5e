import packed from "@sparticuz/chromium";
import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";

/**
 * A real browser: on Linux x64 the Chromium that npm installs, elsewhere an installed Chrome. Rejects if there is none.
 * Omits the package's own flags, which turn off what these tests observe, such as the same-origin policy.
 */
export async function openBrowser(flags: readonly string[] = []): Promise<Browser> {
  const hasPacked = process.platform === "linux" && process.arch === "x64";
  return chromium.launch({
    ...(hasPacked ? { executablePath: await packed.executablePath() } : { channel: "chrome" }),
    args: ["--no-sandbox", ...flags],
  });
}

/** A page with the faults recorded so far. */
export interface WatchedPage {
  readonly page: Page;
  /** Console and script errors, requests to other origins, and violations of the page's Content-Security-Policy. */
  readonly faults: () => readonly string[];
}

const PHONE = { width: 390, height: 844 };

/** Opens a path of `origin` at the width of a phone. */
export async function openPage(browser: Browser, origin: string, path: string): Promise<WatchedPage> {
  const watched = await watchPage(await browser.newPage({ viewport: PHONE }), origin);
  await watched.page.goto(new URL(path, origin).href);
  return watched;
}

/** Watches a page that has not navigated yet. */
export async function watchPage(page: Page, origin: string): Promise<WatchedPage> {
  const faults: string[] = [];
  await page.exposeFunction("noteBreach", (directive: string) => faults.push(`policy: ${directive}`));
  await page.addInitScript(
    'addEventListener("securitypolicyviolation", (event) => noteBreach(event.violatedDirective + " " + event.blockedURI))',
  );
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`script: ${error.message}`));
  page.on("request", (request) => {
    const { protocol, origin: target } = new URL(request.url());
    if (protocol !== "data:" && target !== origin) faults.push(`request to ${target}`);
  });
  return { page, faults: () => faults };
}

/** Number of pixels by which the page is wider than its window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate("document.documentElement.scrollWidth - innerWidth");

/**
 * Serious violations of axe-core's rules (all, or the named ones) in a part of the page, each with the first element.
 */
export async function seriousViolations(
  page: Page,
  selector: string,
  rules: readonly string[] = [],
): Promise<readonly string[]> {
  const found = await violationsOf(page, selector, rules.length === 0 ? {} : { runOnly: rules });
  return found.filter(({ impact }) => impact === "serious" || impact === "critical").map(placeOf);
}

/** WCAG 2.5.3: speech input uses the visible words. axe-core omits this rule by default. */
const ALL_RULES = { rules: { "label-content-name-mismatch": { enabled: true } } };

/** All violations of axe-core's rules in a part of the page, each with the first element. */
export async function allBarriers(page: Page, selector: string): Promise<readonly string[]> {
  return (await violationsOf(page, selector, ALL_RULES)).map(placeOf);
}

async function violationsOf(page: Page, selector: string, options: object): Promise<readonly axe.Result[]> {
  await page.evaluate(axe.source);
  const { violations }: axe.AxeResults = await page.evaluate(
    LOOK_AT_REST.replace("LOOK", () => `axe.run(${JSON.stringify(selector)}, ${JSON.stringify(options)})`),
  );
  return violations;
}

/**
 * axe-core records the layout, then runs its rules one after another. If the page changes in between, the result is
 * inconsistent, so it is repeated until the page does not change. An attribute removed and set again within one task,
 * as React does with the `name` of radio buttons, is no change.
 */
const LOOK_AT_REST = `(async () => {
  const changes = [];
  for (const end = performance.now() + 60_000; performance.now() < end; ) {
    changes.length = 0;
    const note = (records) => {
      const first = (one) => records.find((r) => r.target === one.target && r.attributeName === one.attributeName);
      changes.push(...records.filter((one) =>
        one.type !== "attributes" || first(one).oldValue !== one.target.getAttribute(one.attributeName)));
    };
    const watch = new MutationObserver(note);
    watch.observe(document, {
      subtree: true, childList: true, attributes: true, attributeOldValue: true, characterData: true,
    });
    const result = await LOOK;
    note(watch.takeRecords());
    watch.disconnect();
    if (changes.length === 0) return result;
  }
  const { type, attributeName, oldValue, target } = changes.at(-1);
  const element = target instanceof Element ? target : target.parentElement;
  throw new Error(\`the page never stops changing: \${type} \${attributeName} from \${oldValue} of \${element?.outerHTML.slice(0, 300)}\`);
})()`;

const placeOf = ({ id, nodes }: axe.Result): string => `${id}: ${nodes[0]?.html}`;
