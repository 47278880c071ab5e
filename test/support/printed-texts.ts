import { beforeEach, vi } from "vitest";

const METHODS = ["log", "info", "warn", "error", "debug", "trace", "dir"] as const;

/**
 * Keeps what is printed in each test of a file, one text a call, and prints none of it. A test begins without any and may
 * empty it in between.
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
