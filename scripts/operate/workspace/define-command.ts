import type { Option, Command as Program } from "commander";
import { type OperatorDatabase, onDatabase } from "./operator-database.ts";
import { EMAIL, JOB, WORKSPACE } from "./option-values.ts";
import { type Command, defineCommand } from "./run-command.ts";

/** Commands that work on an operator's database. */

export const define = <Values extends object, Choice extends object, Found extends object>(
  name: string,
  description: string,
  options: readonly Option[],
  choose: (values: Values, program: Program) => Choice,
  run: (operator: OperatorDatabase, choice: Choice) => Promise<Found>,
  reportFound: (found: Found) => string,
): Command => defineCommand(name, description, options, choose, onDatabase(run), reportFound);

/** Defines functions for commands that share their options. */
const commandsWithOptions =
  <Values extends object, Choice extends object>(
    options: readonly Option[],
    choose: (values: Values) => Choice,
  ) =>
  <Found extends object>(
    name: string,
    description: string,
    run: (operator: OperatorDatabase, choice: Choice) => Promise<Found>,
    report: (found: Found) => string,
  ): Command =>
    define(name, description, options, choose, run, report);

export const ofWorkspace = commandsWithOptions([WORKSPACE], ({ workspace }: { workspace: string }) => ({
  workspaceId: workspace,
}));
export const ofJob = commandsWithOptions(
  [WORKSPACE, JOB],
  ({ workspace, job }: { workspace: string; job: string }) => ({
    workspaceId: workspace,
    jobId: job,
  }),
);
export const ofPerson = commandsWithOptions([EMAIL], ({ email }: { email: string }) => ({ email }));
