import { dirname, join, resolve } from "node:path";
import {
  AbortedError,
  ApiError,
  AuthenticationError,
  ConnectionError,
  type CreativePacks,
  CreativePacksError,
  InsufficientCreditsError,
  PermissionError,
  SaveError,
} from "../../index.ts";
import { inParallel } from "../../packs/download-pack.ts";
import type { Context } from "../context.ts";
import { EXIT_CODES, type ExitCode, exitCodeOf } from "../exit-codes.ts";
import { memoizePerKey } from "../memoize-per-key.ts";
import { noteImports, RequestMaker } from "../pack-request.ts";
import { throwMistakes } from "../usage-error.ts";
import { type Journal, openJournal } from "./journal.ts";
import { type OrderedPack, orderRow } from "./order-row.ts";
import { type Mistake, type Row, readRows } from "./read-rows.ts";
import { createInputHasher } from "./row-hash.ts";
import { isSaved } from "./saved-pack.ts";

/** Result of a row, as `--json` prints it. */
interface RowResult {
  readonly name: string;
  readonly line: number;
  readonly status: "made" | "found" | "was there" | "failed";
  readonly jobId: string | null;
  readonly folder: string | null;
  readonly paidCredits: number;
  readonly error: string | null;
}

export interface MakeRowsOptions {
  /** The CSV file. */
  readonly table: string;
  readonly out: string;
  readonly atOnce: number;
  readonly defaults: Readonly<Record<string, string | undefined>>;
  readonly importLimitMs: number;
  /** Only print the cost. */
  readonly isDry: boolean;
}

/** State shared by all rows. */
interface Run {
  readonly client: CreativePacks;
  readonly journal: Journal;
  readonly maker: RequestMaker;
  readonly hash: ReturnType<typeof createInputHasher>;
  readonly folder: string;
  readonly out: string;
  readonly signal: AbortSignal;
  /** Orders by row hash; identical rows share an order. */
  readonly orders: Map<string, Promise<OrderedPack>>;
}

/**
 * Orders and saves one pack per row. A failed row does not stop the others; an error that affects all rows ends the
 * run.
 */
export async function makeRows(
  context: Context,
  client: CreativePacks,
  { table, out, atOnce, defaults, importLimitMs, isDry }: MakeRowsOptions,
): Promise<ExitCode> {
  const { terminal, signal } = context;
  const mistakes: Mistake[] = [];
  const rows = await readRows(table, defaults, mistakes);
  const folder = dirname(resolve(table));
  const maker = new RequestMaker(client, { signal, importLimitMs, onImport: noteImports(terminal) });
  for (const { line, input } of rows) {
    const found = await maker.findMistakes(input, folder);
    mistakes.push(...found.map((text) => ({ line, text })));
  }
  const lines = mistakes.sort((a, b) => a.line - b.line).map(({ line, text }) => `line ${line}: ${text}`);
  throwMistakes(lines, `${table} needs mending; nothing was ordered.`);
  if (isDry) return quoteRows(context, client, maker, rows, folder, atOnce);
  const journal = await openJournal(out);
  const run: Run = {
    client,
    journal,
    maker,
    hash: createInputHasher(folder),
    folder,
    out,
    signal,
    orders: new Map(),
  };
  const results: RowResult[] = [];
  const showProgress = (): void =>
    terminal.progress(results.length / rows.length, `${results.length} of ${rows.length} packs`);
  showProgress();
  try {
    await inParallel(atOnce, rows, async (row) => {
      const result = await makeRow(run, row);
      results.push(result);
      terminal.result(result, [lineOf(result)]);
      showProgress();
    });
  } catch (error) {
    if (error instanceof CreativePacksError) terminal.note(stoppedNote(results.length, rows.length, context));
    throw error;
  } finally {
    terminal.endProgress();
    await journal.close();
  }
  const failed = results.filter(({ status }) => status === "failed").length;
  const paid = results.reduce((sum, { paidCredits }) => sum + paidCredits, 0);
  terminal.note(
    `${rows.length - failed} of ${rows.length} packs are in ${out}; ${paid} credits were paid in this run.` +
      (failed > 0 ? ` ${failed} failed: mend them and run the same command again.` : ""),
  );
  return failed > 0 ? EXIT_CODES.packFailed : EXIT_CODES.done;
}

const stoppedNote = (done: number, rows: number, { signal }: Context): string =>
  `${signal.aborted ? "Stopped" : "Ended"} after ${done} of ${rows} rows. ` +
  "Run the same command again to go on: what was paid is not paid again.";

const lineOf = ({ name, status, folder, paidCredits, error }: RowResult): string =>
  error === null
    ? `${name}: ${status}${paidCredits > 0 ? `, ${paidCredits} credits` : ""}, ${folder}`
    : `${name}: failed. ${error}`;

/** Lets the service validate each row and prints its cost, without ordering. Identical rows are charged once. */
async function quoteRows(
  { terminal, signal }: Context,
  client: CreativePacks,
  maker: RequestMaker,
  rows: readonly Row[],
  folder: string,
  atOnce: number,
): Promise<ExitCode> {
  const hash = createInputHasher(folder);
  const seen = new Set<string>();
  let credits = 0;
  let failed = 0;
  await inParallel(atOnce, rows, async ({ name, line, input }) => {
    try {
      const request = await maker.make(input, folder);
      const row = await hash(input);
      const isFirst = !seen.has(row);
      seen.add(row);
      const { amount } = (await client.jobs.quote(request, { signal })).expectedCost;
      credits += isFirst ? amount : 0;
      const what = isFirst ? `${amount} credits` : "as an earlier row, no more credits";
      terminal.result({ name, line, status: "quoted", credits: isFirst ? amount : 0, error: null }, [
        `${name}: ${request.selectedSizeIds.length} sizes, ${what}`,
      ]);
    } catch (error) {
      const message = messageOf(error);
      failed += 1;
      terminal.result({ name, line, status: "failed", credits: 0, error: message }, [
        `${name}: line ${line}: ${message}`,
      ]);
    }
  });
  terminal.note(
    `${rows.length - failed} of ${rows.length} packs cost ${credits} credits; those that the workspace has already cost ` +
      `nothing again. Nothing was ordered.${failed > 0 ? ` ${failed} cannot be made: mend them first.` : ""}`,
  );
  return failed > 0 ? EXIT_CODES.usage : EXIT_CODES.done;
}

async function makeRow(run: Run, row: Row): Promise<RowResult> {
  const { name, line } = row;
  const target = join(run.out, name);
  const base = { name, line, folder: target, paidCredits: 0, error: null };
  try {
    const hash = await run.hash(row.input);
    const known = run.journal.find(hash);
    if (known?.state === "saved" && (await isSaved(target, known.jobId))) {
      return { ...base, status: "was there", jobId: known.jobId };
    }
    const isFirst = !run.orders.has(hash);
    const { pack, attempt, isPaidNow } = await memoizePerKey(run.orders, hash, () =>
      orderRow(run.client, run.journal, hash, () => run.maker.make(row.input, run.folder), {
        signal: run.signal,
      }),
    );
    await pack.wait({ signal: run.signal });
    await pack.download(target, { signal: run.signal });
    await run.journal.append({ row: hash, jobId: pack.id, state: "saved", attempt });
    const paidCredits = isPaidNow && isFirst ? pack.job.expectedCost.amount : 0;
    return { ...base, status: paidCredits > 0 ? "made" : "found", jobId: pack.id, paidCredits };
  } catch (error) {
    return { ...base, status: "failed", jobId: null, folder: null, error: messageOf(error) };
  }
}

/** Message of an error that concerns one row. Rethrows other errors. */
function messageOf(error: unknown): string {
  if (!isOfOneRow(error)) throw error;
  return error instanceof ApiError ? `${error.message} ${error.nextAction}` : error.message;
}

/** Whether an error concerns only its row. Other errors would also affect the next row. */
const isOfOneRow = (error: unknown): error is CreativePacksError =>
  error instanceof CreativePacksError &&
  !(
    error instanceof AbortedError ||
    error instanceof AuthenticationError ||
    error instanceof PermissionError ||
    error instanceof InsufficientCreditsError ||
    error instanceof ConnectionError ||
    error instanceof SaveError ||
    (error instanceof ApiError && exitCodeOf(error) === EXIT_CODES.tryLater)
  );
