import { describe, expect, it } from "vitest";
import { createWorkspaceBody } from "#api/schemas/workspace.ts";
import { plain, plainJson } from "../../scripts/operate/workspace/plain-text.ts";
import { reportWorkspace } from "../../scripts/operate/workspace/report.ts";

/**
 * Customers' names appear as text to operators and other people. Attack: a name contains an escape sequence, which a
 * terminal executes if it is printed unescaped.
 */

const HOSTILE = [
  "\u001b[2J\u001b[1;1Hnothing here",
  "\u001b]52;c;ZXZpbA==\u0007",
  "\u009b2J",
  "two\nlines",
  "\u202e001 stiderc",
  "\u2066x\u2069",
  "\u0000",
  "\u2028",
];

describe.each(HOSTILE.map((name) => [JSON.stringify(name), name] as const))("the name %s", (_, name) => {
  it("is rejected", () => {
    expect(createWorkspaceBody.safeParse({ name: `a${name}b` }).success).toBe(false);
  });

  it("is escaped if it is already in a table", () => {
    const found = {
      workspaceId: "w",
      name,
      kind: "standard" as const,
      createdAt: "2026-06-18T12:00:00.000Z",
      expiresAt: null,
      suspendedAt: null,
      balance: {
        accessType: "credits" as const,
        unit: "credit" as const,
        credits: { available: 1 },
        subscription: null,
        prices: { static: 1 as const, animated: 3 as const },
      },
      keys: [
        {
          apiKeyId: "k",
          name,
          prefix: "p",
          scopes: [],
          livemode: true,
          status: "active" as const,
          createdAt: "2026-06-18T12:00:00.000Z",
          lastUsedAt: null,
          expiresAt: null,
          revokedAt: null,
          parentKeyId: null,
          agent: null,
          budget: null,
        },
      ],
      areKeysCutOff: true,
      latestEvents: [],
    };
    for (const text of [reportWorkspace(found), plainJson(found)]) expect(text).not.toContain(name);
    expect(JSON.parse(plainJson(found))).toEqual(found);
  });
});

it("texts without escape sequences are printed unchanged", () => {
  for (const name of ["Größe – 尺寸", "مرحبا", "👩🏽‍💻 team", "a\\b"]) {
    expect(createWorkspaceBody.parse({ name })).toEqual({ name });
  }
  expect(plain("Größe – 尺寸 مرحبا")).toBe("Größe – 尺寸 مرحبا");
});
