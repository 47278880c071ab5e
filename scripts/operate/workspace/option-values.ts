import { InvalidArgumentError } from "commander";
import { isVisible } from "#api/schemas/primitives.ts";
import { SCOPES, type Scope } from "#api/scopes.ts";

/** What the options of the operator's commands take. Each reads one value, or throws InvalidArgumentError. */

/** A mistyped amount should not become a fortune; more can be granted in steps. */
const CREDITS_MAX = 1_000_000_000;

export function wholeNumber(value: string): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < 1 || number > CREDITS_MAX) {
    throw new InvalidArgumentError(`It takes a whole number from 1 to ${CREDITS_MAX}.`);
  }
  return number;
}

/** Days of which the provider still keeps events. */
export function days(value: string): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= 1 && number <= 30) return number;
  throw new InvalidArgumentError("It takes a whole number from 1 to 30.");
}

/** Credits to begin with: none is an amount as well. */
export const startingCredits = (value: string): number => (value === "0" ? 0 : wholeNumber(value));

/** Trimmed text of at most so many characters. */
export const text = (charactersMax: number) => (value: string) => {
  const trimmed = value.trim();
  if (trimmed === "" || trimmed.length > charactersMax) {
    throw new InvalidArgumentError(`It takes 1 to ${charactersMax} characters.`);
  }
  if (!isVisible(trimmed)) throw new InvalidArgumentError("It takes a character that can be seen.");
  return trimmed;
};

/** A UUID, in lower case. */
export function id(value: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)) return value.toLowerCase();
  throw new InvalidArgumentError("It takes an id as create and show print them.");
}

export const scopes = (value: string): readonly Scope[] =>
  value.split(",").map((name) => {
    const scope = SCOPES.find((known) => known === name);
    if (scope === undefined) {
      throw new InvalidArgumentError(`There is no scope ${name}. Scopes: ${SCOPES.join(",")}.`);
    }
    return scope;
  });

/** A calendar month, as `2026-11`. */
export function month(value: string): string {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(value)) return value;
  throw new InvalidArgumentError("It takes a month as 2026-11.");
}

/** An RFC 3339 time, or a day, in Unix milliseconds. */
export function time(value: string): number {
  const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(value);
  const timeMs = isTime ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(timeMs)) throw new InvalidArgumentError("It takes a time as 2026-11-21T08:00:00Z.");
  return timeMs;
}
