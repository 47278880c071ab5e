/**
 * Rules for migrations, so that D1's endpoints accept them and they can be repeated.
 *
 * How D1 splits SQL into statements is not documented. Valid triggers were rejected with "incomplete input" because of
 * line breaks, a lower-case `begin`, the END of a CASE, and carriage returns (cloudflare/workers-sdk issues 4998,
 * 10998, 14991 and 15314, read 2026-11-22). Deployments use the endpoint without such reports (pending-migrations.ts),
 * but migrations follow the strictest rules anyway.
 */

/** A reason for which a migration may be rejected, or fail when repeated. */
export interface RemoteSqlFault {
  /** Line number, counted from 1. */
  readonly line: number;
  readonly message: string;
}

const TRIGGER = /^CREATE TRIGGER /i;
const ONE_LINE_TRIGGER = /^CREATE TRIGGER [^;]* BEGIN .*; END;$/;

/**
 * Whether an UPDATE can be repeated: it has a WHERE outside of subqueries, which is assumed to exclude updated rows,
 * and it computes no column from that column's old value.
 */
function isRepeatable(update: string): boolean {
  let outer = update;
  while (/\([^()]*\)/.test(outer)) outer = outer.replace(/\([^()]*\)/g, " ");
  return / WHERE /i.test(outer) && !/[\s`,](\w+)`? = [^,]*?\b\1\b.* WHERE /i.test(outer);
}

/** The problem in a line of a migration, or null. */
function faultOf(line: string): string | null {
  if (line.includes("\r")) return "ends with a carriage return; keep line feeds alone";
  if (line.startsWith("--")) {
    return /['"`;]|\b(?:begin|case|end)\b/i.test(line)
      ? "has a quote, a semicolon or BEGIN, CASE or END in a comment, which a splitter may take for SQL"
      : null;
  }
  const statement = line.split("--> statement-breakpoint")[0]?.trimEnd() ?? "";
  if (statement.includes("--")) return "has a comment behind SQL; give it a line of its own";
  if (/^INSERT INTO/i.test(statement))
    return "has an INSERT that fails when it is repeated; say INSERT OR IGNORE";
  if (/^UPDATE /i.test(statement) && !isRepeatable(statement))
    return "has an UPDATE that changes more when it is repeated; say WHERE, and set no column from itself";
  if (!TRIGGER.test(statement)) return null;
  if (/\bCASE\b/i.test(statement)) return "has a CASE in a trigger; say it with WHEN, AND and OR";
  if (ONE_LINE_TRIGGER.test(statement)) return null;
  return "has a trigger that is not one line of the form CREATE TRIGGER … BEGIN …; END; in capitals";
}

/** All problems of a migration, in one pass over its lines. */
export function remoteSqlFaults(sql: string): RemoteSqlFault[] {
  const faults = sql.split("\n").flatMap((line, index) => {
    const message = line.startsWith("--> statement-breakpoint") ? null : faultOf(line);
    return message === null ? [] : [{ line: index + 1, message }];
  });
  // Wrangler appends its own INSERT to the file without a semicolon before it.
  if (!sql.trimEnd().endsWith(";")) {
    faults.push({ line: sql.trimEnd().split("\n").length, message: "ends without a semicolon" });
  }
  return faults;
}
