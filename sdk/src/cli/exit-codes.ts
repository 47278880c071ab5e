import {
  AbortedError,
  ApiError,
  AssetRejectedError,
  AuthenticationError,
  ConnectionError,
  FileError,
  ImportTimeoutError,
  InsufficientCreditsError,
  PackFailedError,
  PermissionError,
  SaveError,
} from "../index.ts";
import { UsageError } from "./usage-error.ts";

/** Exit codes for scripts. They are listed in the help and never change their meaning. */
export const EXIT_CODES = {
  done: 0,
  /** Unexpected error. */
  unforeseen: 1,
  /** The command line, a file or a row is invalid, or there is no key. */
  usage: 2,
  /** The key is wrong, or lacks the scope. */
  notAllowed: 3,
  noCredits: 4,
  /** A pack failed or was canceled; its cost was refunded. */
  packFailed: 5,
  /** The service did not respond or is busy. The same command may work later. */
  tryLater: 6,
  /** A file could not be written. */
  notSaved: 7,
  /** Interrupted by Ctrl+C. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

/** Exit code of a failed command. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof AbortedError) return EXIT_CODES.interrupted;
  if (error instanceof UsageError || error instanceof FileError || error instanceof AssetRejectedError)
    return EXIT_CODES.usage;
  if (error instanceof AuthenticationError || error instanceof PermissionError) return EXIT_CODES.notAllowed;
  if (error instanceof InsufficientCreditsError) return EXIT_CODES.noCredits;
  if (error instanceof PackFailedError) return EXIT_CODES.packFailed;
  if (error instanceof SaveError) return EXIT_CODES.notSaved;
  if (error instanceof ConnectionError || error instanceof ImportTimeoutError) return EXIT_CODES.tryLater;
  if (error instanceof ApiError) return error.isRetryable ? EXIT_CODES.tryLater : EXIT_CODES.usage;
  return EXIT_CODES.unforeseen;
}
