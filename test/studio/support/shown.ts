import type { Page } from "playwright-core";
import { allBarriers, overflowOf } from "../../conformance/support/browser.ts";

/**
 * Flaws of a page in its current state: axe violations in both themes, and horizontal overflow. Each message includes
 * `where`.
 */
export async function flawsOf(page: Page, where: string): Promise<readonly string[]> {
  const flaws: string[] = [];
  for (const theme of ["light", "dark"] as const) {
    await showIn(page, theme);
    for (const barrier of await allBarriers(page, "html")) flaws.push(`${where}, ${theme}: ${barrier}`);
  }
  const overflow = await overflowOf(page);
  return overflow > 0 ? [...flaws, `${where}: ${overflow} px wider than its window`] : flaws;
}

/** Changes the device's theme, and waits until the page has followed. */
async function showIn(page: Page, theme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.evaluate(`(async () => {
    const device = matchMedia("(prefers-color-scheme: ${theme})");
    if (!device.matches) await new Promise((done) => device.addEventListener("change", done, { once: true }));
    const changing = () => document.getAnimations().filter((one) => one.effect.getComputedTiming().endTime < Infinity);
    // When one transition ends, elements that inherit from it may start theirs.
    for (let running = changing(); running.length > 0; running = changing())
      await Promise.allSettled(running.map(({ finished }) => finished));
  })()`);
}
