import { expect, it } from "vitest";
import { generateSecret } from "#domains/keys/secret.ts";
import { parseLine, secretsIn } from "./secrets-in-text.ts";

it.each([
  generateSecret("live"),
  generateSecret("trial").slice(0, 20),
  "9a1c03de.WyIwMTk5Zi4uLiJdWyIw.6mK2bQ6mK2bQ6mK2bQ",
  "__Host-cp_session=0123.abcd",
  "cpi_x7Hq0b",
  "scrypt$16384$8$5$00$00",
  "somebody@accounts.example",
  "GET /api/v1/downloads/x",
  "https://packs.example/a",
  "203.0.113.9",
  "2001:db8:85a3:0:0:8a2e:370:7334",
  "Mozilla/5.0",
  "launch-plan.png",
  "SELECT secret_hash FROM api_keys",
  "Error: x\n    at work (render-consumer.ts:12:3)",
  "workspaces/01999999/assets/x",
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
])("the check finds a secret in a line: %s", (text) => {
  expect(secretsIn(JSON.stringify({ event: "request", errorName: text }))).not.toEqual([]);
});

it("the check finds given texts, and nothing else in a valid line", () => {
  const line = JSON.stringify({
    event: "request",
    requestId: "01a1fcb1-9386-727d-95f2-490efe30414e",
    operation: "getBalance",
    status: 200,
    durationMs: 12,
    workspaceId: "01a1fcb1-9386-727d-95f2-490efe30414e",
  });
  expect(secretsIn(line)).toEqual([]);
  expect(secretsIn(line, ["getBal"])).toEqual(["getBal"]);
  expect(parseLine(line)).toEqual(JSON.parse(line));
});

it.each(["", "text", "[]", "{}", '{"event":1}', '{"event":"x","path":"/"}', '{"event":"x","status":"200"}'])(
  "%j is not accepted as one of our lines",
  (text) => {
    expect(parseLine(text)).toBeNull();
  },
);
