import { SCOPES, type Scope } from "../../src/contract/scopes.ts";

/** What one option says; each throws UsageError for what it does not take. */

/** Arguments that cannot be understood; the message says which. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A mistyped amount should not become a fortune; more can be granted in steps. */
const CREDITS_MAX = 1_000_000_000;
const TEXT_CHARACTERS_MAX = 200;

export function wholeNumber(option: string, text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > CREDITS_MAX) {
    throw new UsageError(`--${option} takes a whole number from 1 to ${CREDITS_MAX}, not ${text}.`);
  }
  return value;
}

export function text(option: string, value: string | undefined, charactersMax: number): string {
  const trimmed = value?.trim() ?? "";
  if (trimmed === "" || trimmed.length > charactersMax) {
    throw new UsageError(`--${option} is required: 1 to ${charactersMax} characters.`);
  }
  return trimmed;
}

export const freeText = (option: string, value: string): string => text(option, value, TEXT_CHARACTERS_MAX);

export function id(option: string, value: string | undefined): string {
  if (value !== undefined && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)) {
    return value.toLowerCase();
  }
  throw new UsageError(`--${option} is required: an id as create and show print them.`);
}

export function readScopes(named: string | undefined): readonly Scope[] {
  if (named === undefined) return SCOPES;
  return named.split(",").map((text) => {
    const scope = SCOPES.find((known) => known === text);
    if (scope === undefined) throw new UsageError(`There is no scope ${text}. Scopes: ${SCOPES.join(",")}.`);
    return scope;
  });
}

export function readTime(option: string, value: string | undefined): number {
  const timeMs = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(value ?? "")
    ? Date.parse(value ?? "")
    : Number.NaN;
  if (Number.isNaN(timeMs)) throw new UsageError(`--${option} takes a time as 2026-11-21T08:00:00Z.`);
  return timeMs;
}
