import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { reportStress } from "../stress/report.ts";

/**
 * The platform's invocation logs contain each request's address and headers, and a download link's address is a
 * credential. They are on by default.
 */
it("invocation logs are off wherever logs are on", async ({ task }) => {
  const text = await readFile(join(import.meta.dirname, "../../wrangler.toml"), "utf8");
  const sections = text.split(/\n(?=\[)/);
  const observed = sections.filter((section) =>
    /^\[(?:env\.[^.\]]+\.)?observability(?:\.logs)?\]/.test(section),
  );
  const logs = observed.find((section) => section.startsWith("[observability.logs]"));
  reportStress(task, { counts: { "log settings": observed.length } });
  expect(logs).toMatch(/^invocation_logs = false$/m);
  expect(text).not.toMatch(/^invocation_logs = true$/m);
  expect(text).not.toMatch(/^logpush = true$/m);
  expect(text).not.toMatch(/\[observability\.traces\]/);
});
