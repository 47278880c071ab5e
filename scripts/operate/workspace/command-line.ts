import { Option, type Command as Program } from "commander";
import { LIMITS } from "#api/limits.ts";
import { SCOPES, type Scope } from "#api/scopes.ts";
import type { Period } from "#domains/ledger/period.ts";
import type { ChangedAccess } from "#domains/workspaces/change-access.ts";
import type { GrantCause } from "#domains/workspaces/create-workspace.ts";
import { days, id, month, scopes, startingCredits, text, time, wholeNumber } from "./option-values.ts";
import { type Invocation, type Run, readCommand, type TargetOptions, targetOptions } from "./read-command.ts";

/** The operator's commands and their options. */

export type Access =
  | { readonly kind: "credits"; readonly credits: number }
  | { readonly kind: "subscription"; readonly quotaLimit: number; readonly period: Period }
  | { readonly kind: "unlimited" };

/** Commands on the account of a person. */
type AccountCommand = "show-account" | "reset-password" | "confirm-address" | "end-sessions" | "allow-mail";

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
  | { readonly name: "rerun-job" | "cancel-job"; readonly workspaceId: string; readonly jobId: string }
  | { readonly name: "check-ledger" }
  | { readonly name: "reconcile"; readonly days: number; readonly isApplying: boolean }
  | { readonly name: "statement"; readonly workspaceId: string; readonly month: string | null }
  | { readonly name: "show" | "suspend" | "resume"; readonly workspaceId: string }
  | { readonly name: AccountCommand; readonly email: string }
  | {
      readonly name: "revoke-key";
      readonly workspaceId: string;
      readonly apiKeyId: string;
      /** Whether the live keys that it made are revoked with it. */
      readonly isCascade: boolean;
    };

const TEXT_CHARACTERS_MAX = 200;

const WORKSPACE = new Option("--workspace <id>", "the workspace").argParser(id).makeOptionMandatory();
const EMAIL = new Option("--email <address>", "whose account")
  .argParser(text(LIMITS.emailCharactersMax))
  .makeOptionMandatory();
const JOB = new Option("--job <id>", "the job").argParser(id).makeOptionMandatory();
const NAME = new Option("--name <text>", "what people see")
  .argParser(text(LIMITS.keyNameCharactersMax))
  .makeOptionMandatory();

const QUOTA = new Option("--quota <n>", "a subscription's credits a period").argParser(wholeNumber);
const PERIOD = new Option("--period <period>", "of --quota").choices(["day", "month"]);
const UNLIMITED = new Option("--unlimited", "nothing is counted").conflicts(["quota", "credits"]);

const TARGET = [
  ...targetOptions(
    "the deployed databases; KEY_PEPPER and KEY_CHECK_SECRET then come from the environment variables CREATIVE_PACKS_KEY_PEPPER and CREATIVE_PACKS_KEY_CHECK_SECRET, or --env-file",
  ),
  new Option("--env-file <file>", "where KEY_PEPPER and KEY_CHECK_SECRET are (.dev.vars)"),
];

interface AccessOptions {
  readonly credits?: number;
  readonly quota?: number;
  readonly period?: Period;
  readonly unlimited?: true;
}

/** Reads the command line. Throws CommandLineError with the text to show when there is nothing to run. */
export const readInvocation = (parameters: readonly string[]): Invocation<Command> =>
  readCommand(
    {
      name: "npm run workspace --",
      description: "Workspaces, grants, keys, jobs and accounts, by the hand of an operator.",
    },
    addCommands,
    parameters,
  );

function addCommands(program: Program, run: Run<Command>): void {
  const define = <Options extends object>(
    name: Command["name"],
    description: string,
    options: readonly Option[],
    toCommand: (options: Options, program: Program) => Command,
  ): void => {
    const defined = program.command(name).description(description);
    for (const option of [...options, ...TARGET]) defined.addOption(option);
    defined.action((values: Options & TargetOptions) => run(toCommand(values, defined), values));
  };

  define<AccessOptions & { name: string }>(
    "create",
    "Makes a workspace and its first API key. The key is shown once.",
    [NAME, new Option("--credits <n>", "to begin with").argParser(startingCredits), QUOTA, PERIOD, UNLIMITED],
    ({ name, ...access }, self) => ({
      name: "create",
      workspaceName: name,
      access: accessOf(access, self) ?? { kind: "credits", credits: access.credits ?? 0 },
    }),
  );
  define<{ workspace: string; credits: number } & GrantCause>(
    "grant",
    "Adds credits. The same reference (an invoice number, say) is granted once only.",
    [
      WORKSPACE,
      new Option("--credits <n>", "how many").argParser(wholeNumber).makeOptionMandatory(),
      new Option("--reference <text>", "granted once").argParser(text(TEXT_CHARACTERS_MAX)),
      new Option("--description <text>", "shown in the ledger").argParser(text(TEXT_CHARACTERS_MAX)),
    ],
    ({ workspace, credits, reference, description }) => ({
      name: "grant",
      workspaceId: workspace,
      credits,
      cause: {
        ...(reference === undefined ? {} : { reference }),
        ...(description === undefined ? {} : { description }),
      },
    }),
  );
  define<AccessOptions & { workspace: string; creditsOnly?: true }>(
    "set-access",
    "What the workspace pays with from now on. Its credits stay; a new quota begins whole.",
    [
      ...[WORKSPACE, QUOTA, PERIOD, UNLIMITED],
      new Option("--credits-only", "neither subscription nor unlimited").conflicts([
        "quota",
        "period",
        "unlimited",
      ]),
    ],
    ({ workspace, creditsOnly, ...options }, self) => {
      const access = creditsOnly ? ({ kind: "credits" } as const) : accessOf(options, self);
      return access === null
        ? self.error("error: choose --quota, --unlimited or --credits-only")
        : { name: "set-access", workspaceId: workspace, access };
    },
  );
  define<{ workspace: string; name: string; scopes: readonly Scope[] }>(
    "add-key",
    "Makes another API key, for all scopes unless some are named. It is shown once.",
    [
      WORKSPACE,
      NAME,
      new Option("--scopes <scope,scope>", "what it may do").argParser(scopes).default(SCOPES, "all"),
    ],
    (options) => ({
      name: "add-key",
      workspaceId: options.workspace,
      keyName: options.name,
      scopes: options.scopes,
    }),
  );
  define<{ since: number }>(
    "failed-jobs",
    "Jobs that the service failed since then, and nobody ran again.",
    [new Option("--since <time>", "RFC 3339").argParser(time).makeOptionMandatory()],
    ({ since }) => ({ name: "failed-jobs", sinceMs: since }),
  );
  const ofJob = (name: "rerun-job" | "cancel-job", description: string) =>
    define<{ workspace: string; job: string }>(name, description, [WORKSPACE, JOB], ({ workspace, job }) => ({
      name,
      workspaceId: workspace,
      jobId: job,
    }));
  ofJob(
    "rerun-job",
    "Runs such a job once more, as a new job that is paid like any other. The sweep sends it.",
  );
  ofJob("cancel-job", "Cancels a queued job and gives its cost back, as its customer could.");
  const ofWorkspace = (name: "show" | "suspend" | "resume", description: string) =>
    define<{ workspace: string }>(name, description, [WORKSPACE], ({ workspace }) => ({
      name,
      workspaceId: workspace,
    }));
  ofWorkspace("show", "Balance, keys and the latest ledger events.");
  define<{ workspace: string; month?: string }>(
    "statement",
    "A month in sums: opening balance, what was bought, spent and given back, closing balance, payments. Reads only.",
    [WORKSPACE, new Option("--month <month>", "in UTC, as 2026-11 (the present one)").argParser(month)],
    (options) => ({ name: "statement", workspaceId: options.workspace, month: options.month ?? null }),
  );
  define<{ days: number; apply?: true }>(
    "reconcile",
    "Holds the last days at the payment provider against the database, and names what differs. Needs STRIPE_SECRET_KEY in " +
      "the environment, or --env-file.",
    [
      new Option("--days <n>", "how many; the provider keeps events for 30").argParser(days).default(3),
      new Option("--apply", "applies the events that are missing, each once, as the webhook would have"),
    ],
    (options) => ({ name: "reconcile", days: options.days, isApplying: options.apply === true }),
  );
  define(
    "check-ledger",
    "Checks the books of every database: balances are the sums of their events, and each job was paid once and refunded " +
      "where it should be. Exits with 1 where they are not.",
    [],
    () => ({ name: "check-ledger" }),
  );
  ofWorkspace(
    "suspend",
    "Its keys open nothing any more (reads within ten seconds), and its people only read. Jobs it has queued are " +
      "rendered, unless they are cancelled.",
  );
  ofWorkspace("resume", "Takes that back.");
  define<{ workspace: string; key: string; cascade?: true }>(
    "revoke-key",
    "The key spends and writes nothing from now on, and reads nothing within ten seconds. Shows the live keys that it made.",
    [
      WORKSPACE,
      new Option("--key <id>", "the key").argParser(id).makeOptionMandatory(),
      new Option("--cascade", "revokes the keys that it made as well"),
    ],
    ({ workspace, key, cascade }) => ({
      name: "revoke-key",
      workspaceId: workspace,
      apiKeyId: key,
      isCascade: cascade === true,
    }),
  );
  const ofAccount = (name: AccountCommand, description: string) =>
    define<{ email: string }>(name, description, [EMAIL], ({ email }) => ({ name, email }));
  ofAccount(
    "show-account",
    "How a person signs in, their sessions and workspaces, and what operators did to the account.",
  );
  ofAccount(
    "reset-password",
    "Gives a person who lost their password a new one, shown once, and ends all their sessions. Make sure who asks: " +
      "whoever has it has the account. Keys of their workspaces live on.",
  );
  ofAccount(
    "confirm-address",
    "Counts a person's address as confirmed, of which you have made sure. Workspaces that they own may pay and buy then.",
  );
  ofAccount("end-sessions", "Ends all sessions of a person, who may sign in again.");
  ofAccount(
    "allow-mail",
    "Sends an address mail again that bounced, or whose owner complained. With Resend, take it off the list there as well.",
  );
}

/** The access that was chosen besides credits; null when none was. */
function accessOf(
  { credits, quota, period, unlimited }: AccessOptions,
  self: Program,
): Exclude<Access, { kind: "credits" }> | null {
  if (credits !== undefined && quota !== undefined) self.error("error: choose one of --credits and --quota");
  if (unlimited) return { kind: "unlimited" };
  if (quota === undefined && period === undefined) return null;
  if (quota === undefined || period === undefined) {
    return self.error("error: --quota and --period day or month belong together");
  }
  return { kind: "subscription", quotaLimit: quota, period };
}
