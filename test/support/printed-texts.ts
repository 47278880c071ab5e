import { beforeEach, vi } from "vitest";

const METHODS = ["log", "info", "warn", "error", "debug", "trace", "dir"] as const;

/**
 * Captures printed text in each test of a file, one entry per call, without printing it. Empty at each test's start.
 */
export function keepPrintedTexts(): { texts: string[] } {
  const printed: { texts: string[] } = { texts: [] };
  beforeEach(() => {
    printed.texts = [];
    for (const method of METHODS) {
      vi.spyOn(console, method).mockImplementation((...values: unknown[]) => {
        printed.texts.push(values.map(String).join(" "));
      });
    }
  });
  return printed;
}
