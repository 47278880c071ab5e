import { parseArgs } from "node:util";
import { LIMITS } from "../../src/contract/limits.ts";
import type { Scope } from "../../src/contract/scopes.ts";
import type { Period } from "../../src/ledger/period.ts";
import type { ChangedAccess } from "../../src/workspaces/change-access.ts";
import type { GrantCause } from "../../src/workspaces/create-workspace.ts";
import { freeText, id, readScopes, readTime, text, UsageError, wholeNumber } from "./argument-values.ts";

/** Which database a command works on. */
export interface Target {
  readonly isRemote: boolean;
  /** The folder given to `wrangler dev --persist-to`; local only. */
  readonly stateFolder: string;
  /** The wrangler configuration that names the database. */
  readonly configPath: string;
  /** Where KEY_PEPPER is; null for .dev.vars, or the environment when remote. */
  readonly envFile: string | null;
}

export type Access =
  | { readonly kind: "credits"; readonly credits: number }
  | { readonly kind: "subscription"; readonly quotaLimit: number; readonly period: Period }
  | { readonly kind: "unlimited" };

export type Command =
  | { readonly name: "create"; readonly workspaceName: string; readonly access: Access }
  | {
      readonly name: "grant";
      readonly workspaceId: string;
      readonly credits: number;
      readonly cause: GrantCause;
    }
  | { readonly name: "set-access"; readonly workspaceId: string; readonly access: ChangedAccess }
  | {
      readonly name: "add-key";
      readonly workspaceId: string;
      readonly keyName: string;
      readonly scopes: readonly Scope[];
    }
  | { readonly name: "failed-jobs"; readonly sinceMs: number }
  | {
      readonly name: "redraw-job" | "cancel-job";
      readonly workspaceId: string;
      readonly jobId: string;
    }
  | { readonly name: "show" | "suspend" | "resume"; readonly workspaceId: string }
  | { readonly name: "show-account" | "reset-password" | "end-sessions"; readonly email: string }
  | {
      readonly name: "revoke-key";
      readonly workspaceId: string;
      readonly apiKeyId: string;
      /** Whether the live keys that it made are revoked with it. */
      readonly isCascade: boolean;
    };

export interface Invocation {
  readonly command: Command;
  readonly target: Target;
  readonly isJson: boolean;
}

const OPTIONS = {
  name: { type: "string" },
  credits: { type: "string" },
  quota: { type: "string" },
  period: { type: "string" },
  unlimited: { type: "boolean" },
  workspace: { type: "string" },
  key: { type: "string" },
  job: { type: "string" },
  scopes: { type: "string" },
  since: { type: "string" },
  email: { type: "string" },
  "credits-only": { type: "boolean" },
  cascade: { type: "boolean" },
  reference: { type: "string" },
  description: { type: "string" },
  json: { type: "boolean" },
  remote: { type: "boolean" },
  "persist-to": { type: "string" },
  "env-file": { type: "string" },
  config: { type: "string" },
} as const;

type OptionName = keyof typeof OPTIONS;

/** Options that every command takes. */
const SHARED: readonly OptionName[] = ["json", "remote", "persist-to", "env-file", "config"];

const TAKEN: Readonly<Record<Command["name"], readonly OptionName[]>> = {
  create: ["name", "credits", "quota", "period", "unlimited"],
  grant: ["workspace", "credits", "reference", "description"],
  "set-access": ["workspace", "quota", "period", "unlimited", "credits-only"],
  "add-key": ["workspace", "name", "scopes"],
  "failed-jobs": ["since"],
  "redraw-job": ["workspace", "job"],
  "cancel-job": ["workspace", "job"],
  show: ["workspace"],
  suspend: ["workspace"],
  resume: ["workspace"],
  "show-account": ["email"],
  "reset-password": ["email"],
  "end-sessions": ["email"],
  "revoke-key": ["workspace", "key", "cascade"],
};

const isCommandName = (text: string | undefined): text is Command["name"] =>
  text !== undefined && Object.hasOwn(TAKEN, text);

type Values = ReturnType<typeof readValues>["values"];

function readValues(parameters: readonly string[]) {
  try {
    return parseArgs({ args: [...parameters], options: OPTIONS, allowPositionals: true });
  } catch (thrown) {
    throw new UsageError(thrown instanceof Error ? thrown.message : String(thrown));
  }
}

function readAccess({ credits, quota, period, unlimited }: Values): Access {
  const chosen = [credits, quota, unlimited].filter((value) => value !== undefined);
  if (chosen.length > 1) throw new UsageError("Choose one of --credits, --quota and --unlimited.");
  if (period !== undefined && quota === undefined) throw new UsageError("--period belongs to --quota.");
  if (unlimited) return { kind: "unlimited" };
  if (quota !== undefined) {
    if (period !== "day" && period !== "month") throw new UsageError("--quota needs --period day or month.");
    return { kind: "subscription", quotaLimit: wholeNumber("quota", quota), period };
  }
  // Nothing chosen is a workspace to be granted credits later; an explicit 0 says the same.
  return {
    kind: "credits",
    credits: credits === undefined || credits === "0" ? 0 : wholeNumber("credits", credits),
  };
}

function readChange(values: Values): ChangedAccess {
  if (values["credits-only"] === true) {
    if (values.quota !== undefined || values.unlimited !== undefined || values.period !== undefined) {
      throw new UsageError("Choose one of --quota, --unlimited and --credits-only.");
    }
    return { kind: "credits" };
  }
  const access = readAccess(values);
  if (access.kind === "credits") throw new UsageError("Choose --quota, --unlimited or --credits-only.");
  return access;
}

function readCommand(name: Command["name"], values: Values): Command {
  if (name === "create") {
    const workspaceName = text("name", values.name, LIMITS.keyNameCharactersMax);
    return { name, workspaceName, access: readAccess(values) };
  }
  if (name === "failed-jobs") return { name, sinceMs: readTime("since", values.since) };
  if (name === "show-account" || name === "reset-password" || name === "end-sessions") {
    return { name, email: text("email", values.email, LIMITS.emailCharactersMax) };
  }
  const workspaceId = id("workspace", values.workspace);
  switch (name) {
    case "grant":
      return {
        name,
        workspaceId,
        credits: wholeNumber("credits", freeText("credits", values.credits ?? "")),
        cause: {
          ...(values.reference === undefined ? {} : { reference: freeText("reference", values.reference) }),
          ...(values.description === undefined
            ? {}
            : { description: freeText("description", values.description) }),
        },
      };
    case "set-access":
      return { name, workspaceId, access: readChange(values) };
    case "add-key":
      return {
        name,
        workspaceId,
        keyName: text("name", values.name, LIMITS.keyNameCharactersMax),
        scopes: readScopes(values.scopes),
      };
    case "redraw-job":
    case "cancel-job":
      return { name, workspaceId, jobId: id("job", values.job) };
    case "show":
    case "suspend":
    case "resume":
      return { name, workspaceId };
    case "revoke-key":
      return {
        name,
        workspaceId,
        apiKeyId: id("key", values.key),
        isCascade: values.cascade === true,
      };
  }
}

/** Reads the command line; throws UsageError for anything it does not know, or cannot do together. */
export function readInvocation(parameters: readonly string[]): Invocation {
  const { values, positionals } = readValues(parameters);
  const [name, ...rest] = positionals;
  if (!isCommandName(name)) {
    throw new UsageError(name === undefined ? "A command is required." : `There is no command ${name}.`);
  }
  if (rest.length > 0) throw new UsageError(`${rest.join(" ")}: not understood.`);
  const taken: readonly string[] = [...SHARED, ...TAKEN[name]];
  const foreign = Object.keys(values).find((option) => !taken.includes(option));
  if (foreign !== undefined) throw new UsageError(`${name} does not take --${foreign}.`);
  if (values.remote && values["persist-to"] !== undefined) {
    throw new UsageError("--persist-to is for the local database; leave it out with --remote.");
  }
  return {
    command: readCommand(name, values),
    isJson: values.json === true,
    target: {
      isRemote: values.remote === true,
      stateFolder: values["persist-to"] ?? ".wrangler/state",
      configPath: values.config ?? "wrangler.toml",
      envFile: values["env-file"] ?? null,
    },
  };
}
