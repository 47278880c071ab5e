import { expect, it } from "vitest";
import { fontLibrary } from "../../src/platform/font-library.ts";
import { loadLibraryFile } from "../../src/renderer/fonts/library-file.ts";
import { FALLBACK_INDEX } from "../../src/renderer/fonts/library-files.ts";

/** Guarantee: the worker finds the font library among its static files, and tells a file that is not there from one that is. */

it("reads the library through its binding", async () => {
  const bytes = await loadLibraryFile(fontLibrary, FALLBACK_INDEX);
  expect(bytes.length).toBeGreaterThan(100_000);
  await expect(fontLibrary.load("nothing.ttf")).rejects.toThrow("404 for nothing.ttf");
});
