import { describe, expect, it } from "vitest";
import { readInvocation, UsageError } from "../../scripts/operator/arguments.ts";

/** Guarantee: the operator's script does what was typed, or nothing: it guesses no amount and no target. */

const WORKSPACE = "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71";
const KEY = "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e72";
const read = (line: string) => readInvocation(line.split(" ").filter((word) => word !== ""));

describe("what is understood", () => {
  it.each([
    ["create --name Acme", { kind: "credits", credits: 0 }],
    ["create --name Acme --credits 0", { kind: "credits", credits: 0 }],
    ["create --name Acme --credits 25", { kind: "credits", credits: 25 }],
    ["create --name Acme --quota 9 --period day", { kind: "subscription", quotaLimit: 9, period: "day" }],
    ["create --unlimited --name Acme", { kind: "unlimited" }],
  ])("%s", (line, access) => {
    expect(read(line).command).toEqual({ name: "create", workspaceName: "Acme", access });
  });

  it("grant, with what it is for", () => {
    expect(read(`grant --workspace ${WORKSPACE} --credits 5 --reference INV-1`).command).toEqual({
      name: "grant",
      workspaceId: WORKSPACE,
      credits: 5,
      cause: { reference: "INV-1" },
    });
  });

  it("revoke-key and show, with ids in either case", () => {
    expect(read(`revoke-key --workspace ${WORKSPACE.toUpperCase()} --key ${KEY}`).command).toEqual({
      name: "revoke-key",
      workspaceId: WORKSPACE,
      apiKeyId: KEY,
    });
    expect(read(`show --workspace ${WORKSPACE} --json`)).toMatchObject({
      command: { name: "show" },
      isJson: true,
      target: { isRemote: false, stateFolder: ".wrangler/state", configPath: "wrangler.toml", envFile: null },
    });
  });
});

describe("what is refused", () => {
  it.each([
    ["", "A command is required"],
    ["destroy", "no command destroy"],
    ["constructor", "no command constructor"],
    ["create", "--name is required"],
    ["create Acme", "Acme: not understood"],
    ["create --name Acme --credits -5", "--credits"],
    ["create --name Acme --credits 1.5", "whole number"],
    ["create --name Acme --credits 1e3", "whole number"],
    ["create --name Acme --credits 1000000001", "whole number"],
    ["create --name Acme --credits 5 --unlimited", "Choose one"],
    ["create --name Acme --quota 5", "--period day or month"],
    ["create --name Acme --quota 0 --period day", "whole number"],
    ["create --name Acme --quota 5 --period year", "--period day or month"],
    ["create --name Acme --period day", "--period belongs to --quota"],
    ["create --name Acme --credit 5", "--credit"],
    [`grant --workspace ${WORKSPACE}`, "--credits is required"],
    [`grant --workspace ${WORKSPACE} --credits 0`, "whole number"],
    ["grant --workspace Acme --credits 5", "--workspace is required"],
    [`show --workspace ${WORKSPACE} --credits 5`, "show does not take --credits"],
    [`revoke-key --workspace ${WORKSPACE}`, "--key is required"],
    [`show --workspace ${WORKSPACE} --remote --persist-to .wrangler/state`, "--persist-to is for the local"],
  ])("%j", (line, reason) => {
    expect(() => read(line)).toThrow(UsageError);
    expect(() => read(line)).toThrow(reason);
  });
});
