import { Option } from "commander";
import { SCOPES, type Scope } from "#api/scopes.ts";
import type { GrantCause } from "#domains/workspaces/create-workspace.ts";
import { ACCOUNT_COMMANDS } from "./account-commands.ts";
import * as work from "./commands.ts";
import { define, ofJob, ofPerson, ofWorkspace } from "./define-command.ts";
import { checkAllLedgers, reportLedgers } from "./ledger-command.ts";
import { allowMail, reportMailAllowed } from "./mail-commands.ts";
import * as option from "./option-values.ts";
import { reconcileNow, reportReconciliation } from "./reconcile-command.ts";
import { balanceText, lines, reportFailedJobs, reportSuspension, reportWorkspace } from "./report.ts";
import { type Command, type Invocation, readCommand } from "./run-command.ts";
import { reportStatement, statement } from "./statement-command.ts";

/** The operator's commands with their options. */

const KEY_IS_SHOWN_ONCE = "\n\nThe API key is shown this once and stored nowhere: keep it now.";

const COMMANDS: readonly Command[] = [
  define(
    "create",
    "Makes a workspace and its first API key. The key is shown once.",
    [
      option.NAME,
      new Option("--credits <n>", "to begin with").argParser(option.startingCredits),
      option.QUOTA,
      option.PERIOD,
      option.UNLIMITED,
    ],
    ({ name, ...access }: option.AccessOptions & { name: string }, self) => ({
      workspaceName: name,
      access: option.accessOf(access, self) ?? { kind: "credits" as const, credits: access.credits ?? 0 },
    }),
    work.create,
    (created) =>
      `${lines(
        ["Workspace", created.workspaceId],
        ["Name", created.name],
        ["Balance", balanceText(created.balance)],
        ["API key id", created.apiKeyId],
        ["API key", created.secret],
      )}${KEY_IS_SHOWN_ONCE}`,
  ),
  define(
    "grant",
    "Adds credits. The same reference (an invoice number, say) is granted once only.",
    [
      option.WORKSPACE,
      new Option("--credits <n>", "how many").argParser(option.wholeNumber).makeOptionMandatory(),
      new Option("--reference <text>", "granted once").argParser(option.text(option.TEXT_CHARACTERS_MAX)),
      new Option("--description <text>", "shown in the ledger").argParser(
        option.text(option.TEXT_CHARACTERS_MAX),
      ),
    ],
    ({
      workspace,
      credits,
      reference,
      description,
    }: { workspace: string; credits: number } & GrantCause) => ({
      workspaceId: workspace,
      credits,
      cause: {
        ...(reference === undefined ? {} : { reference }),
        ...(description === undefined ? {} : { description }),
      },
    }),
    work.grant,
    ({ workspaceId, granted, balance }) =>
      lines(
        ["Workspace", workspaceId],
        ["Granted", granted > 0 ? `${granted} credits` : "nothing: this reference was granted before"],
        ["Balance", balanceText(balance)],
      ),
  ),
  define(
    "set-access",
    "What the workspace pays with from now on. Its credits stay; a new quota begins whole.",
    [
      ...[option.WORKSPACE, option.QUOTA, option.PERIOD, option.UNLIMITED],
      new Option("--credits-only", "neither subscription nor unlimited").conflicts([
        "quota",
        "period",
        "unlimited",
      ]),
    ],
    (
      {
        workspace,
        creditsOnly,
        ...options
      }: option.AccessOptions & { workspace: string; creditsOnly?: true },
      self,
    ) => {
      const access = creditsOnly ? { kind: "credits" as const } : option.accessOf(options, self);
      return access === null
        ? self.error("error: choose --quota, --unlimited or --credits-only")
        : { workspaceId: workspace, access };
    },
    work.setAccess,
    ({ workspaceId, balance }) => lines(["Workspace", workspaceId], ["Balance", balanceText(balance)]),
  ),
  define(
    "add-key",
    "Makes another API key, for all scopes unless some are named. It is shown once.",
    [
      option.WORKSPACE,
      option.NAME,
      new Option("--scopes <scope,scope>", "what it may do").argParser(option.scopes).default(SCOPES, "all"),
    ],
    (options: { workspace: string; name: string; scopes: readonly Scope[] }) => ({
      workspaceId: options.workspace,
      keyName: options.name,
      scopes: options.scopes,
    }),
    work.addKey,
    (made) =>
      `${lines(
        ["Workspace", made.workspaceId],
        ["API key id", made.apiKeyId],
        ["Scopes", made.scopes.join(" ")],
        ["API key", made.secret],
      )}${KEY_IS_SHOWN_ONCE}`,
  ),
  define(
    "failed-jobs",
    "Jobs that the service failed since then, and that were not run again.",
    [new Option("--since <time>", "RFC 3339").argParser(option.time).makeOptionMandatory()],
    ({ since }: { since: number }) => ({ sinceMs: since }),
    work.failedJobs,
    reportFailedJobs,
  ),
  ofJob(
    "rerun-job",
    "Runs such a job once more, as a new job that is paid like any other. The sweep sends it.",
    work.rerun,
    ({ failedJobId, jobId, status, isNew }) =>
      `${lines(["Failed job", failedJobId], ["New job", jobId], ["Status", status])}\n\n${
        isNew ? "The sweep sends it within a minute. Tell the customer its id." : "It was run again before."
      }`,
  ),
  ofJob(
    "cancel-job",
    "Cancels a queued job and gives its cost back, as its customer could.",
    work.cancel,
    ({ workspaceId, jobId, status, balance }) =>
      lines(
        ["Workspace", workspaceId],
        ["Job", jobId],
        ["Status", status],
        ["Balance", balanceText(balance)],
      ),
  ),
  ofWorkspace("show", "Balance, keys and the latest ledger events.", work.show, reportWorkspace),
  define(
    "statement",
    "A month in sums: opening balance, what was bought, spent and given back, closing balance, payments. Reads only.",
    [
      option.WORKSPACE,
      new Option("--month <month>", "in UTC, as 2026-11 (the present one)").argParser(option.month),
    ],
    (options: { workspace: string; month?: string }) => ({
      workspaceId: options.workspace,
      month: options.month ?? null,
    }),
    statement,
    reportStatement,
  ),
  define(
    "reconcile",
    "Compares the last days at the payment provider with the database, and names what differs. Needs STRIPE_SECRET_KEY in " +
      "the environment, or --env-file.",
    [
      new Option("--days <n>", "how many; the provider keeps events for 30")
        .argParser(option.days)
        .default(3),
      new Option("--apply", "applies the events that are missing, each once, as the webhook would have"),
    ],
    (options: { days: number; apply?: true }) => ({ days: options.days, isApplying: options.apply === true }),
    reconcileNow,
    reportReconciliation,
  ),
  define(
    "check-ledger",
    "Checks the books of every database: balances are the sums of their events, and each job was paid once and refunded " +
      "where it should be. Exits with 1 where they are not.",
    [],
    () => ({}),
    checkAllLedgers,
    reportLedgers,
  ),
  ofWorkspace(
    "suspend",
    "Its keys open nothing any more (reads within ten seconds), and its people only read. Jobs it has queued are " +
      "rendered, unless they are cancelled.",
    work.suspend,
    reportSuspension,
  ),
  ofWorkspace("resume", "Takes that back.", work.resume, reportSuspension),
  define(
    "revoke-key",
    "The key spends and writes nothing from now on, and reads nothing within ten seconds. Shows the live keys that it made.",
    [
      option.WORKSPACE,
      new Option("--key <id>", "the key").argParser(option.id).makeOptionMandatory(),
      new Option("--cascade", "revokes the keys that it made as well"),
    ],
    ({ workspace, key, cascade }: { workspace: string; key: string; cascade?: true }) => ({
      workspaceId: workspace,
      apiKeyId: key,
      isCascade: cascade === true,
    }),
    work.revoke,
    ({ workspaceId, key, descendants }) =>
      lines(
        ["Workspace", workspaceId],
        ["API key id", key.apiKeyId],
        ["Revoked", key.revokedAt ?? ""],
        ...descendants.map(({ apiKeyId, status }): [string, string] => [
          "Made by it",
          `${apiKeyId}, ${status}`,
        ]),
      ),
  ),
  ...ACCOUNT_COMMANDS,
  ofPerson(
    "allow-mail",
    "Sends an address mail again that bounced, or whose owner complained. With Resend, take it off the list there as well.",
    allowMail,
    reportMailAllowed,
  ),
];

/** Parses the command line. Throws CommandLineError with the text to show if there is nothing to run. */
export const readInvocation = (parameters: readonly string[]): Invocation =>
  readCommand(
    {
      name: "npm run workspace --",
      description: "Workspaces, grants, keys, jobs and accounts, by the hand of an operator.",
      remote:
        "the deployed databases; KEY_PEPPER and KEY_CHECK_SECRET then come from the environment variables CREATIVE_PACKS_KEY_PEPPER and CREATIVE_PACKS_KEY_CHECK_SECRET, or --env-file",
      options: [new Option("--env-file <file>", "where KEY_PEPPER and KEY_CHECK_SECRET are (.dev.vars)")],
      commands: COMMANDS,
    },
    parameters,
  );
