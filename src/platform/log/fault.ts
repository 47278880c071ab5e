/** What a log line has of a thrown value; never its message, which may quote a caller or SQL. */
export interface Fault {
  /** Name of the error's class. */
  readonly errorName: string;
  /** A cause from a fixed list. */
  readonly reason: string;
  /** Functions and places in the code, the innermost first. */
  readonly frames?: readonly string[];
  readonly workspaceId?: string;
  readonly sizeId?: string;
}

/** Causes of a fault by the text of its error, the first that matches. The text itself is never logged. */
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
/** As V8 writes a frame: a function, where it has a name, and its place in a file. */
const FRAME =
  /^\s+at (?:async )?(?:new )?(?:([\w$.<> ]{1,60}) (?:\[as \w+\] )?\()?[^()\s]*?([\w.-]+:\d+:\d+)\)?$/;

/** An error, and what is known of the work that it ended. */
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

/** Frames of the error's stack behind its message, which may quote anybody. None where the message is not found in it. */
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

/** The name of a thrown error's class; the type of any other thrown value. */
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
