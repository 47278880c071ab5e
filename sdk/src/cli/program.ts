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

/** The parts of the process that the program uses. */
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
  0  success                                       5  a pack failed; its cost was refunded
  1  unexpected error                              6  no response, or busy: try again later
  2  the command, a file or a row is invalid       7  a file could not be written
  3  the key is wrong or lacks a scope           130  interrupted
  4  not enough credits

Environment: CREATIVE_PACKS_API_KEY, CREATIVE_PACKS_BASE_URL, NO_COLOR
`;

const MAKE_EXAMPLES = `
A slot takes a file, an asset id or an https URL. If the workspace already has the pack, it is not paid again, unless you
use --again.

Examples:
  $ creative-packs make --photo beach.jpg --logo logo.svg --headline "Summer is here" --cta "Book now" \\
      --contract display.v1 --sizes iab-300x250,iab-728x90 --format jpg --out packs/summer
  $ creative-packs make --logo logo.svg --headline "Hello" --sizes all --dry-run
  $ creative-packs make --rows rows.csv --out packs --at-once 8

With --rows, each row of a CSV file is a pack. Its columns are named like the options: name, photo, logo, headline, cta,
sizes and so on; options replace empty cells. Paths are relative to the file's folder. Run the same command again to
continue an interrupted run; no row is paid twice.
`;

/** Creates the program. `finish` receives the exit code of a successful command. */
export function createProgram(parts: ProcessParts, finish: (code: ExitCode) => void): Command {
  const program = new Command("creative-packs")
    .description("Creates packs of ad images: one image, every size.")
    .version(VERSION)
    .option("--url <address>", "URL of the service, such as https://packs.example")
    .option("--json", "print results as JSON lines")
    .option("--quiet", "print only results and errors")
    .option("--verbose", "print a line per request")
    .option("--debug", "like --verbose, and also print when a request starts")
    .configureHelp({ showGlobalOptions: true })
    .addHelpText("after", EXAMPLES)
    .showHelpAfterError("(--help lists commands and options.)")
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
    .description("store an API key for later commands, in a file that only you can read")
    .addHelpText(
      "after",
      "\nExamples:\n  $ creative-packs login --url https://packs.example\n  $ creative-packs login --url https://packs.example < key.txt\n",
    )
    .action(() => login(contextOf()));
  program
    .command("logout")
    .description("delete the stored key")
    .action(() => logout(contextOf()));

  packOptions(program.command("make"))
    .description("order packs, wait for them and save them")
    .option("--rows <file.csv>", "make one pack per row")
    .option("--out <folder>", "output folder", DEFAULT_OUT)
    .option(
      "--at-once <number>",
      "rows processed at the same time",
      wholeNumber(1, ROWS_AT_ONCE_MAX),
      ROWS_AT_ONCE,
    )
    .option("--again", "order again, even if the workspace already has the pack")
    .option("--dry-run", "only print the cost")
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
    .description("render the first size, protected and free")
    .option("--out <file>", "output file")
    .addOption(new Option("--frame <frame>", "frame of an animation; default: last").choices(FRAMES))
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
    .argument("[contract]", "such as display.v1")
    .action((contractId: string | undefined) => sizes(contextOf(), contractId));
  program
    .command("balance")
    .description("show the workspace's credits")
    .action(() => balance(contextOf()));
  program
    .command("jobs")
    .description("list orders, newest first")
    .option("--count <number>", "number of orders", wholeNumber(1, JOBS_SHOWN_MAX), JOBS_SHOWN)
    .action(({ count }: { readonly count: number }) => jobs(contextOf(), count));
  program
    .command("cancel")
    .description("cancel a queued order")
    .argument("<job>", "id of the order")
    .action((jobId: string) => cancel(contextOf(), jobId));
  program
    .command("download")
    .description("save the files of an order")
    .argument("<job>", "id of the order")
    .option("--out <folder>", "output folder", DEFAULT_OUT)
    .option("--zip", "one ZIP instead of files")
    .action((jobId: string, { out, zip = false }: { readonly out: string; readonly zip?: boolean }) =>
      download(contextOf(), jobId, out, zip),
    );
  program
    .command("listen")
    .description("post the end of each job to a local receiver, signed like a webhook message")
    .requiredOption("--forward-to <address>", "URL of the receiver, such as http://localhost:3000/webhooks")
    .option("--secret <secret>", "sign with this `whsec_…`; default: a new secret for each run")
    .action((options: { readonly forwardTo: string; readonly secret?: string }) =>
      listen(contextOf(), { forwardTo: options.forwardTo, secret: options.secret }),
    );
  program
    .command("completion")
    .description("print a script that completes commands, options and sizes in your shell")
    .addArgument(new Argument("<shell>", "shell").choices(SHELLS))
    .addHelpText(
      "after",
      "\nExamples:\n  $ source <(creative-packs completion bash)\n  $ creative-packs completion fish > ~/.config/fish/completions/creative-packs.fish\n",
    )
    .action((shell: Shell) => void parts.stdout.write(completionScript(program, shell)));
  return program;
}

/** Parsed options, with keys in camel case: `--second-photo` is `secondPhoto`. */
interface PackArguments extends Readonly<Record<string, unknown>> {
  /** In seconds. */
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
    "how long to wait for the import of an image",
    seconds,
    IMPORT_SECONDS,
  );
}

/** Picks the pack fields from the options, by field name. */
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
