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
    "Creates a workspace and its first API key. The key is shown only once.",
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
    "Adds credits, once per reference, such as an invoice number.",
    [
      option.WORKSPACE,
      new Option("--credits <n>", "how many").argParser(option.wholeNumber).makeOptionMandatory(),
      new Option("--reference <text>", "identifies the grant").argParser(
        option.text(option.TEXT_CHARACTERS_MAX),
      ),
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
    "Sets what the workspace pays with. Its credits stay; a new quota starts unused.",
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
    "Creates another API key, by default with all scopes. It is shown only once.",
    [
      option.WORKSPACE,
      option.NAME,
      new Option("--scopes <scope,scope>", "scopes of the key")
        .argParser(option.scopes)
        .default(SCOPES, "all"),
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
    "Lists jobs since then that failed because of the service and were not rerun.",
    [new Option("--since <time>", "RFC 3339").argParser(option.time).makeOptionMandatory()],
    ({ since }: { since: number }) => ({ sinceMs: since }),
    work.failedJobs,
    reportFailedJobs,
  ),
  ofJob(
    "rerun-job",
    "Reruns such a job as a new job, which is paid like any other. The sweep dispatches it.",
    work.rerun,
    ({ failedJobId, jobId, status, isNew }) =>
      `${lines(["Failed job", failedJobId], ["New job", jobId], ["Status", status])}\n\n${
        isNew ? "The sweep sends it within a minute. Tell the customer its id." : "It was run again before."
      }`,
  ),
  ofJob(
    "cancel-job",
    "Cancels a queued job and refunds its cost, as its customer could.",
    work.cancel,
    ({ workspaceId, jobId, status, balance }) =>
      lines(
        ["Workspace", workspaceId],
        ["Job", jobId],
        ["Status", status],
        ["Balance", balanceText(balance)],
      ),
  ),
  ofWorkspace("show", "Shows balance, keys and the latest ledger events.", work.show, reportWorkspace),
  define(
    "statement",
    "Shows a monthly statement: opening balance, purchases, consumption, refunds, closing balance and payments. Read-only.",
    [
      option.WORKSPACE,
      new Option("--month <month>", "in UTC, such as 2026-11 (default: the current month)").argParser(
        option.month,
      ),
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
    "Compares the last days at the payment provider with the database and lists differences. Needs STRIPE_SECRET_KEY in " +
      "the environment, or --env-file.",
    [
      new Option("--days <n>", "number of days; the provider keeps events for 30")
        .argParser(option.days)
        .default(3),
      new Option("--apply", "apply missing events once each, as the webhook would have"),
    ],
    (options: { days: number; apply?: true }) => ({ days: options.days, isApplying: options.apply === true }),
    reconcileNow,
    reportReconciliation,
  ),
  define(
    "check-ledger",
    "Checks the ledgers of every database: balances are the sums of their events, and each job was paid once and refunded " +
      "if it failed or was canceled. Exits with 1 if a check fails.",
    [],
    () => ({}),
    checkAllLedgers,
    reportLedgers,
  ),
  ofWorkspace(
    "suspend",
    "Its keys stop working (reads within ten seconds), and its members can only read. Queued jobs are " +
      "rendered, unless they are canceled.",
    work.suspend,
    reportSuspension,
  ),
  ofWorkspace("resume", "Ends a suspension.", work.resume, reportSuspension),
  define(
    "revoke-key",
    "The key can no longer spend or write, and within ten seconds no longer read. Lists active keys that it created.",
    [
      option.WORKSPACE,
      new Option("--key <id>", "the key").argParser(option.id).makeOptionMandatory(),
      new Option("--cascade", "also revoke the keys that it created"),
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
    "Allows email to an address that bounced or complained. With Resend, also remove it from the list there.",
    allowMail,
    reportMailAllowed,
  ),
];

/** Parses the command line. Throws CommandLineError with the text to show if there is nothing to run. */
export const readInvocation = (parameters: readonly string[]): Invocation =>
  readCommand(
    {
      name: "npm run workspace --",
      description: "Operator's commands on workspaces, grants, keys, jobs and accounts.",
      remote:
        "the deployed databases; KEY_PEPPER and KEY_CHECK_SECRET then come from the environment variables CREATIVE_PACKS_KEY_PEPPER and CREATIVE_PACKS_KEY_CHECK_SECRET, or --env-file",
      options: [
        new Option("--env-file <file>", "file with KEY_PEPPER and KEY_CHECK_SECRET (default: .dev.vars)"),
      ],
      commands: COMMANDS,
    },
    parameters,
  );
