import { expect } from "vitest";
import { runCampaign, SCREENS } from "./support/campaign.ts";
import { studio, test } from "./support/shared-studio.ts";
import { flawsOf } from "./support/shown.ts";
import { DESKTOP, grant } from "./support/studio.ts";

/** The agency journey of support/campaign.ts in each language, with axe on every screen. */

test.each(["en", "de"] as const)("from sign-up to the approved and downloaded pack: %s", async (language) => {
  const seen: string[] = [];
  const flaws: string[] = [];
  const { zipName } = await runCampaign({
    browser: studio.browser,
    options: {
      viewport: DESKTOP,
      baseURL: studio.service.origin,
      reducedMotion: "reduce",
      serviceWorkers: "block",
    },
    language,
    email: `ada-${language}@campaign.example`,
    grant: async (workspaceId) => {
      await grant(studio, workspaceId, 20);
    },
    onScreen: async (page, screen) => {
      seen.push(screen);
      flaws.push(...(await flawsOf(page, screen)));
    },
  });
  expect(seen).toEqual(SCREENS);
  expect(flaws).toEqual([]);
  expect(zipName).toMatch(/^velo-[\p{L}-]+-\d{4}-\d{2}-\d{2}\.zip$/u);
});
