import { describe, expect, it } from "vitest";
import { SCOPES } from "#api/scopes.ts";
import { readInvocation } from "../../scripts/operate/workspace/command-line.ts";

/** The operator's script does exactly what was typed, or nothing: it never guesses an amount or a target. */

const WORKSPACE = "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71";
const KEY = "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e72";
const read = (line: string) => readInvocation(line.split(" ").filter((word) => word !== ""));

describe("accepted", () => {
  it.each([
    ["create --name Acme", { kind: "credits", credits: 0 }],
    ["create --name Acme --credits 0", { kind: "credits", credits: 0 }],
    ["create --name Acme --credits 25", { kind: "credits", credits: 25 }],
    ["create --name Acme --quota 9 --period day", { kind: "subscription", quotaLimit: 9, period: "day" }],
    ["create --unlimited --name Acme", { kind: "unlimited" }],
  ])("%s", (line, access) => {
    expect(read(line).command).toEqual({ name: "create", workspaceName: "Acme", access });
  });

  it("grant, with its reason", () => {
    expect(read(`grant --workspace ${WORKSPACE} --credits 5 --reference INV-1`).command).toEqual({
      name: "grant",
      workspaceId: WORKSPACE,
      credits: 5,
      cause: { reference: "INV-1" },
    });
  });

  it.each([
    ["--unlimited", { kind: "unlimited" }],
    ["--credits-only", { kind: "credits" }],
    ["--quota 9 --period day", { kind: "subscription", quotaLimit: 9, period: "day" }],
  ])("set-access %s", (options, access) => {
    expect(read(`set-access --workspace ${WORKSPACE} ${options}`).command).toEqual({
      name: "set-access",
      workspaceId: WORKSPACE,
      access,
    });
  });

  it("add-key, with all scopes by default", () => {
    const line = `add-key --workspace ${WORKSPACE} --name CI`;
    expect(read(line).command).toMatchObject({ keyName: "CI", scopes: SCOPES });
    const scopes = ["jobs:read", "jobs:write"];
    expect(read(`${line} --scopes ${scopes.join(",")}`).command).toMatchObject({ keyName: "CI", scopes });
  });

  it("statement of a month, by default the current one", () => {
    const statement = { name: "statement", workspaceId: WORKSPACE };
    expect(read(`statement --workspace ${WORKSPACE}`).command).toEqual({ ...statement, month: null });
    expect(read(`statement --workspace ${WORKSPACE} --month 2026-11`).command).toEqual({
      ...statement,
      month: "2026-11",
    });
    for (const month of ["2026-13", "2026-1", "11/2026", "2026-11-01"]) {
      expect(() => read(`statement --workspace ${WORKSPACE} --month ${month}`), month).toThrow("as 2026-11");
    }
  });

  it("failed-jobs since a time, rerun-job and cancel-job", () => {
    expect(read(`cancel-job --workspace ${WORKSPACE} --job ${KEY}`).command).toMatchObject({ jobId: KEY });
    expect(read("failed-jobs --since 2026-11-21T08:00:00Z").command).toEqual({
      name: "failed-jobs",
      sinceMs: Date.UTC(2026, 10, 21, 8),
    });
    expect(read(`rerun-job --workspace ${WORKSPACE} --job ${KEY}`).command).toEqual({
      name: "rerun-job",
      workspaceId: WORKSPACE,
      jobId: KEY,
    });
  });

  it("revoke-key and show, with ids in either case", () => {
    expect(read(`revoke-key --workspace ${WORKSPACE.toUpperCase()} --key ${KEY}`).command).toEqual({
      name: "revoke-key",
      workspaceId: WORKSPACE,
      apiKeyId: KEY,
      isCascade: false,
    });
    expect(read(`revoke-key --workspace ${WORKSPACE} --key ${KEY} --cascade`).command).toMatchObject({
      isCascade: true,
    });
    expect(read(`show --workspace ${WORKSPACE} --json`)).toMatchObject({
      command: { name: "show" },
      isJson: true,
      target: { isRemote: false, stateFolder: ".wrangler/state", configPath: "wrangler.toml", envFile: null },
    });
  });
});

it.each([
  ["", "Usage: npm run workspace --"],
  ["destroy", "unknown command 'destroy'"],
  ["constructor", "unknown command 'constructor'"],
  ["create", "--name <text>' not specified"],
  ["create Acme --name Acme", "too many arguments"],
  ["create --name Acme --credits -5", "--credits"],
  ["create --name Acme --credits 1.5", "whole number"],
  ["create --name Acme --credits 1e3", "whole number"],
  ["create --name Acme --credits 1000000001", "whole number"],
  ["create --name Acme --credits 5 --unlimited", "cannot be used with"],
  ["create --name Acme --credits 5 --quota 5 --period day", "choose one of --credits and --quota"],
  ["create --name Acme --quota 5", "belong together"],
  ["create --name Acme --quota 0 --period day", "whole number"],
  ["create --name Acme --quota 5 --period year", "Allowed choices are day, month"],
  ["create --name Acme --period day", "belong together"],
  ["create --name Acme --credit 5", "unknown option '--credit'"],
  [`grant --workspace ${WORKSPACE}`, "--credits <n>' not specified"],
  [`grant --workspace ${WORKSPACE} --credits 0`, "whole number"],
  ["grant --workspace Acme --credits 5", "It takes an id"],
  [`show --workspace ${WORKSPACE} --credits 5`, "unknown option '--credits'"],
  [`set-access --workspace ${WORKSPACE}`, "choose --quota, --unlimited or --credits-only"],
  [`set-access --workspace ${WORKSPACE} --credits-only --unlimited`, "cannot be used with"],
  [`set-access --workspace ${WORKSPACE} --quota 5`, "belong together"],
  [`set-access --workspace ${WORKSPACE} --credits 5`, "unknown option '--credits'"],
  [`add-key --workspace ${WORKSPACE}`, "--name <text>' not specified"],
  [`add-key --workspace ${WORKSPACE} --name CI --scopes jobs:all`, "no scope jobs:all"],
  ["failed-jobs", "--since <time>' not specified"],
  ["failed-jobs --since yesterday", "It takes a time"],
  ["failed-jobs --since 2026-13-45", "It takes a time"],
  [`rerun-job --workspace ${WORKSPACE}`, "--job <id>' not specified"],
  [`revoke-key --workspace ${WORKSPACE}`, "--key <id>' not specified"],
  [`show --workspace ${WORKSPACE} --remote --persist-to .wrangler/state`, "cannot be used with"],
])("rejected: %j", (line, reason) => {
  expect(() => read(line)).toThrow(expect.objectContaining({ name: "CommandLineError", isHelp: false }));
  expect(() => read(line)).toThrow(reason);
});

it("help lists every command, and the help of a command lists its options", () => {
  expect(() => read("--help")).toThrow(expect.objectContaining({ isHelp: true }));
  for (const name of ["create", "grant", "rerun-job", "end-sessions"])
    expect(() => read("--help")).toThrow(name);
  expect(() => read("create --help")).toThrow("--quota <n>");
});
