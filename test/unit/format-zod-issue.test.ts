import { z } from "@hono/zod-openapi";
import { expect, it } from "vitest";
import { formatZodIssue } from "#interface/http/format-zod-issue.ts";

/** An issue's message completes a sentence that begins with the field's name, and never uses zod's own words. */

const problemsOf = (schema: z.ZodType, value: unknown): string[] => {
  const parsed = schema.safeParse(value, { error: formatZodIssue });
  return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => [...path, message].join(" "));
};

const body = z.object({
  name: z.string().min(1).max(3),
  sizes: z.array(z.string()).min(1).max(2),
  count: z.int().min(1).max(100),
  motion: z.enum(["static", "animated"]),
  at: z.iso.datetime(),
  id: z.uuid(),
});
const sound = {
  name: "Ada",
  sizes: ["a"],
  count: 7,
  motion: "static",
  at: "2026-06-18T12:00:00Z",
  id: "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71",
};

it("every missing member is reported as required", () => {
  expect(problemsOf(body, sound)).toEqual([]);
  expect(problemsOf(body, {})).toEqual(Object.keys(sound).map((name) => `${name} is required`));
});

it.each<[object, string]>([
  [{ name: 7 }, "name must be a text"],
  [{ name: "" }, "name must have at least 1 character"],
  [{ name: "Grace" }, "name must have at most 3 characters"],
  [{ sizes: "a" }, "sizes must be a list"],
  [{ sizes: [] }, "sizes must have at least 1 item"],
  [{ sizes: ["a", "b", "c"] }, "sizes must have at most 2 items"],
  [{ count: "7" }, "count must be a number"],
  [{ count: 1.5 }, "count must be a whole number"],
  [{ count: 0 }, "count must be at least 1"],
  [{ count: 101 }, "count must be at most 100"],
  [{ motion: "video" }, "motion must be one of `static`, `animated`"],
  [{ at: "yesterday" }, "at must be a time as 2026-06-18T12:00:00Z"],
  [{ id: "17" }, "id must be a UUID"],
])("the message for %j describes the valid values", (wrong, words) => {
  expect(problemsOf(body, { ...sound, ...wrong })).toEqual([words]);
});

it("the message for a union lists its kinds, even for a missing value", () => {
  const union = z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("webhook") }),
    z.object({ kind: z.literal("s3") }),
  ]);
  for (const value of [{}, { kind: "ftp" }]) {
    expect(problemsOf(union, value)).toEqual(["kind must be one of `webhook`, `s3`"]);
  }
});
