import { Argument, Command, InvalidArgumentError, Option } from "commander";
import { VERSION } from "../index.ts";
import { balance } from "./commands/balance.ts";
import { completionScript, SHELLS, type Shell } from "./commands/completion.ts";
import { download } from "./commands/download.ts";
import { cancel, jobs } from "./commands/jobs.ts";
import { listen } from "./commands/listen.ts";
import { login, logout } from "./commands/login.ts";
import { make } from "./commands/make.ts";
import { FRAMES, type Frame, preview } from "./commands/preview.ts";
import { sizes } from "./commands/sizes.ts";
import { type Context, connect } from "./context.ts";
import type { ExitCode } from "./exit-codes.ts";
import { ASSET_FIELDS, BRAND_FIELDS, COPY_FIELDS, DESIGN_FIELDS, ORDER_FIELDS } from "./pack-fields.ts";
import { makeRows } from "./rows/make-rows.ts";
import { openTerminal, type Streams } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

const DEFAULT_OUT = "packs";
const ROWS_AT_ONCE = 4;
const ROWS_AT_ONCE_MAX = 32;
const IMPORT_SECONDS = 120;
const IMPORT_SECONDS_MAX = 3_600;
const JOBS_SHOWN = 20;
const JOBS_SHOWN_MAX = 10_000;

/** Options of every command. */
interface GlobalOptions {
  readonly url?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly debug?: boolean;
}

/** What the program needs of its process. */
export interface ProcessParts extends Streams {
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

const EXAMPLES = `
Examples:
  $ creative-packs login --url https://packs.example
  $ creative-packs make --photo beach.jpg --logo logo.svg --headline "Summer is here" --out packs/summer
  $ creative-packs make --rows rows.csv --out packs
  $ creative-packs sizes display.v1

Exit codes:
  0  done                                   5  a pack failed; its cost was given back
  1  something unforeseen                   6  no answer, or busy: try again later
  2  the command, a file or a row is wrong  7  a file could not be written
  3  no key, a wrong one, or not its scope  130  interrupted
  4  not enough credits

Environment: CREATIVE_PACKS_API_KEY, CREATIVE_PACKS_BASE_URL, NO_COLOR
`;

const MAKE_EXAMPLES = `
A file, the id of an asset or an https address fills a slot. A pack that the workspace has already is not paid again,
unless you say --again.

Examples:
  $ creative-packs make --photo beach.jpg --logo logo.svg --headline "Summer is here" --cta "Book now" \\
      --contract display.v1 --sizes iab-300x250,iab-728x90 --format jpg --out packs/summer
  $ creative-packs make --logo logo.svg --headline "Hello" --sizes all --dry-run
  $ creative-packs make --rows rows.csv --out packs --at-once 8

With --rows each row of a CSV file is a pack. Its columns are called like the options: name, photo, logo, headline, cta,
sizes and so on; options fill in what a row leaves empty. Paths begin at the file's folder. A run that was stopped goes
on when the same command is run again, and pays no row twice.
`;

/** The program. `finish` is told the exit code of a command that ends well. */
export function createProgram(parts: ProcessParts, finish: (code: ExitCode) => void): Command {
  const program = new Command("creative-packs")
    .description("Makes packs of ad images: one picture, every size.")
    .version(VERSION)
    .option("--url <address>", "the service, as https://packs.example")
    .option("--json", "print results as lines of JSON")
    .option("--quiet", "print nothing but results and errors")
    .option("--verbose", "print a line for each request")
    .option("--debug", "the same, and when each begins")
    .configureHelp({ showGlobalOptions: true })
    .addHelpText("after", EXAMPLES)
    .showHelpAfterError("(--help shows what there is.)")
    .exitOverride();
  const contextOf = (): Context => {
    const { url, json = false, quiet = false, verbose, debug } = program.opts<GlobalOptions>();
    return {
      terminal: openTerminal(parts, json, quiet),
      env: parts.env,
      signal: parts.signal,
      url: url ?? null,
      logLevel: debug === true ? "debug" : verbose === true ? "info" : undefined,
    };
  };

  program
    .command("login")
    .description("keep an API key for later commands, in a file that only you may read")
    .addHelpText(
      "after",
      "\nExamples:\n  $ creative-packs login --url https://packs.example\n  $ creative-packs login --url https://packs.example < key.txt\n",
    )
    .action(() => login(contextOf()));
  program
    .command("logout")
    .description("delete the kept key")
    .action(() => logout(contextOf()));

  packOptions(program.command("make"))
    .description("order packs, wait for them and save them")
    .option("--rows <file.csv>", "make a pack of each row")
    .option("--out <folder>", "where files go", DEFAULT_OUT)
    .option("--at-once <number>", "rows at the same time", wholeNumber(1, ROWS_AT_ONCE_MAX), ROWS_AT_ONCE)
    .option("--again", "pay again for a pack that the workspace has already")
    .option("--dry-run", "only say what it would cost")
    .addHelpText("after", MAKE_EXAMPLES)
    .action(async (options: MakeArguments) => {
      const context = contextOf();
      const { rows: table, out, atOnce, again = false, dryRun: isDry = false } = options;
      const importLimitMs = options.importLimit * 1_000;
      const fields = fieldsOf(options);
      if (table === undefined) return make(context, { fields, out, again, isDry, importLimitMs });
      if (again) throw new UsageError("--again does not go with --rows.");
      const rows = { table, out, atOnce, defaults: fields, importLimitMs, isDry };
      finish(await makeRows(context, await connect(context), rows));
    });

  packOptions(program.command("preview"))
    .description("draw the first size, protected and free")
    .option("--out <file>", "where the picture goes")
    .addOption(new Option("--frame <frame>", "of an animation; last otherwise").choices(FRAMES))
    .addHelpText(
      "after",
      '\nExample:\n  $ creative-packs preview --photo beach.jpg --headline "Summer is here" --sizes iab-300x250\n',
    )
    .action(({ frame, out, importLimit, ...options }: PreviewArguments) =>
      preview(contextOf(), fieldsOf(options), { frame, out, importLimitMs: importLimit * 1_000 }),
    );

  program
    .command("sizes")
    .description("list contracts, or the sizes of one")
    .argument("[contract]", "as display.v1")
    .action((contractId: string | undefined) => sizes(contextOf(), contractId));
  program
    .command("balance")
    .description("show the workspace's credits")
    .action(() => balance(contextOf()));
  program
    .command("jobs")
    .description("list orders, newest first")
    .option("--count <number>", "how many", wholeNumber(1, JOBS_SHOWN_MAX), JOBS_SHOWN)
    .action(({ count }: { readonly count: number }) => jobs(contextOf(), count));
  program
    .command("cancel")
    .description("cancel an order that is still queued")
    .argument("<job>", "the order's id")
    .action((jobId: string) => cancel(contextOf(), jobId));
  program
    .command("download")
    .description("save the files of an order")
    .argument("<job>", "the order's id")
    .option("--out <folder>", "where files go", DEFAULT_OUT)
    .option("--zip", "one ZIP instead of files")
    .action((jobId: string, { out, zip = false }: { readonly out: string; readonly zip?: boolean }) =>
      download(contextOf(), jobId, out, zip),
    );
  program
    .command("listen")
    .description("post the end of each job to a local receiver, signed as a webhook's message is")
    .requiredOption("--forward-to <address>", "the receiver, as http://localhost:3000/webhooks")
    .option("--secret <secret>", "sign with this `whsec_…`; one is made for each run otherwise")
    .action((options: { readonly forwardTo: string; readonly secret?: string }) =>
      listen(contextOf(), { forwardTo: options.forwardTo, secret: options.secret }),
    );
  program
    .command("completion")
    .description("print a script that completes commands, options and sizes in your shell")
    .addArgument(new Argument("<shell>", "which shell").choices(SHELLS))
    .addHelpText(
      "after",
      "\nExamples:\n  $ source <(creative-packs completion bash)\n  $ creative-packs completion fish > ~/.config/fish/completions/creative-packs.fish\n",
    )
    .action((shell: Shell) => void parts.stdout.write(completionScript(program, shell)));
  return program;
}

/** As commander names options: `--second-photo` is `secondPhoto`. */
interface PackArguments extends Readonly<Record<string, unknown>> {
  /** Seconds. */
  readonly importLimit: number;
}

interface PreviewArguments extends PackArguments {
  readonly out?: string;
  readonly frame?: Frame;
}

interface MakeArguments extends PackArguments {
  readonly rows?: string;
  readonly out: string;
  readonly atOnce: number;
  readonly again?: boolean;
  readonly dryRun?: boolean;
}

const PACK_FIELDS = [
  ...ASSET_FIELDS.map((field) => ({ ...field, value: "<file>" })),
  ...COPY_FIELDS.map((field) => ({ ...field, value: "<words>" })),
  ...BRAND_FIELDS.map((field) => ({ ...field, value: "<colour>" })),
  ...ORDER_FIELDS.map((field) => ({ ...field, value: "<value>" })),
  ...DESIGN_FIELDS.map((field) => ({ ...field, value: "<json>" })),
];

function packOptions(command: Command): Command {
  for (const { name, value, about } of PACK_FIELDS) command.option(`--${name} ${value}`, about);
  const seconds = wholeNumber(1, IMPORT_SECONDS_MAX);
  return command.option(
    "--import-limit <seconds>",
    "how long to wait for a picture's https address",
    seconds,
    IMPORT_SECONDS,
  );
}

/** What options say of a pack, by the names of its fields. */
function fieldsOf(options: Readonly<Record<string, unknown>>): Record<string, string | undefined> {
  const fields: Record<string, string | undefined> = {};
  for (const { name } of PACK_FIELDS) {
    const value = options[name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())];
    if (typeof value === "string") fields[name] = value;
  }
  return fields;
}

const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`);
  };
