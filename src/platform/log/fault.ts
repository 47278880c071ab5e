/**
 * Facts about a thrown value that the log may contain. Never its message, which may contain a caller's input or SQL.
 */
export interface Fault {
  readonly errorName: string;
  /** A cause from a fixed list. */
  readonly reason: string;
  /** Functions and positions in the code, innermost first. */
  readonly frames?: readonly string[];
  readonly workspaceId?: string;
  readonly sizeId?: string;
}

/** Causes by the error's text; the first match counts. The text itself is never logged. */
const BY_TEXT: readonly (readonly [reason: string, pattern: RegExp])[] = [
  ["database", /D1_|SQLITE_|^Failed query/],
  ["queue", /^Queue /],
  ["storage", /^(?:get|put|head|list|delete)\b[\s\S]*\(\d{5}\)/],
  ["memory", /allocation failed|out of memory|memory limit/i],
  ["platform", /Network connection lost|internal error; reference|overloaded|exceeded/i],
];

const BY_NAME: Readonly<Record<string, string>> = {
  AbortError: "timeout",
  TimeoutError: "timeout",
  EngineDiffers: "engine-differs",
  RuntimeError: "kernel",
  TypeError: "defect",
  RangeError: "defect",
  ReferenceError: "defect",
};

const CAUSES_MAX = 4;
const FRAMES_MAX = 8;
/** A stack frame of V8: an optional function name, and a position in a file. */
const FRAME =
  /^\s+at (?:async )?(?:new )?(?:([\w$.<> ]{1,60}) (?:\[as \w+\] )?\()?[^()\s]*?([\w.-]+:\d+:\d+)\)?$/;

/** An error with context of the failed work. */
export class FaultIn extends Error {
  readonly about: Pick<Fault, "workspaceId" | "sizeId">;

  constructor(about: FaultIn["about"], cause: unknown) {
    super("", { cause });
    this.about = about;
  }
}

function reasonOf(thrown: unknown): string {
  let error = thrown;
  for (let depth = 0; depth < CAUSES_MAX && error instanceof Error; depth += 1) {
    const { message, name } = error;
    const reason = BY_TEXT.find(([, pattern]) => pattern.test(message))?.[0] ?? BY_NAME[name];
    if (reason !== undefined) return reason;
    error = error.cause;
  }
  return "other";
}

/** Frames after the message, which may contain a caller's input. Empty if the stack does not begin with the message. */
function framesOf({ stack = "", message }: Error): readonly string[] {
  const start = stack.indexOf(message);
  if (start < 0 || stack.slice(0, start).includes("\n")) return [];
  const lines = stack
    .slice(start + message.length)
    .split("\n")
    .slice(1);
  return lines
    .flatMap((line) => {
      const [, name, place] = FRAME.exec(line) ?? [];
      return place === undefined ? [] : [name === undefined ? place : `${name} ${place}`];
    })
    .slice(0, FRAMES_MAX);
}

/** A thrown error's class name; the type of any other value. */
export const errorNameOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.name : typeof thrown;

export function faultOf(thrown: unknown): Fault {
  if (thrown instanceof FaultIn) return { ...thrown.about, ...faultOf(thrown.cause) };
  const frames = thrown instanceof Error ? framesOf(thrown) : [];
  return {
    errorName: errorNameOf(thrown),
    reason: reasonOf(thrown),
    ...(frames.length > 0 && { frames }),
  };
}
