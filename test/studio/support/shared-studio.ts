import { test as plain } from "vitest";
import { openStudio, type Studio } from "./studio.ts";

/** The tests' `studio`, for helper functions. Set before the first test of a file. */
export let studio: Studio;

/**
 * Tests of a Studio with the usual configuration. All files of a run share one worker and one browser, which take
 * longer to start than most tests. A file's `studio` closes the pages that the file opened.
 */
export const test = plain
  // Raise the limits, because all visitors of all files come from one network.
  .extend(
    "options",
    { scope: "worker" },
    { vars: { RATE_LIMIT_SIGN_UP: "1000", RATE_LIMIT_SIGN_IN: "1000" } },
  )
  .extend("shared", { scope: "worker" }, async ({ options }, { onCleanup }) => {
    const studio = await openStudio(options);
    onCleanup(studio.close);
    return studio;
  })
  .extend("studio", { scope: "file", auto: true }, ({ shared }, { onCleanup }) => {
    studio = shared;
    onCleanup(async () => {
      await Promise.all(shared.browser.contexts().map((context) => context.close()));
    });
    return shared;
  });
