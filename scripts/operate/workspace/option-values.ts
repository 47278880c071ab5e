import { InvalidArgumentError, Option, type Command as Program } from "commander";
import { LIMITS } from "#api/limits.ts";
import { isVisible } from "#api/schemas/primitives.ts";
import { SCOPES, type Scope } from "#api/scopes.ts";
import type { Period } from "#domains/ledger/period.ts";
import type { Access } from "./commands.ts";

/** Options of the operator's commands. Each function parses one value or throws InvalidArgumentError. */

/** Maximum credits per grant, against typing errors. A larger sum needs several grants. */
const CREDITS_MAX = 1_000_000_000;

export function wholeNumber(value: string): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < 1 || number > CREDITS_MAX) {
    throw new InvalidArgumentError(`It takes a whole number from 1 to ${CREDITS_MAX}.`);
  }
  return number;
}

/** Days to look back, limited to the 30 days for which the provider keeps events. */
export function days(value: string): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= 1 && number <= 30) return number;
  throw new InvalidArgumentError("It takes a whole number from 1 to 30.");
}

/** Initial credits; zero is allowed. */
export const startingCredits = (value: string): number => (value === "0" ? 0 : wholeNumber(value));

/** Trimmed text with a maximum length. */
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

/** A calendar month, such as `2026-11`. */
export function month(value: string): string {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(value)) return value;
  throw new InvalidArgumentError("It takes a month as 2026-11.");
}

/** An RFC 3339 time or a day, in Unix milliseconds. */
export function time(value: string): number {
  const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(value);
  const timeMs = isTime ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(timeMs)) throw new InvalidArgumentError("It takes a time as 2026-11-21T08:00:00Z.");
  return timeMs;
}

export const TEXT_CHARACTERS_MAX = 200;

export const WORKSPACE = new Option("--workspace <id>", "the workspace").argParser(id).makeOptionMandatory();
export const EMAIL = new Option("--email <address>", "address of the account")
  .argParser(text(LIMITS.emailCharactersMax))
  .makeOptionMandatory();
export const JOB = new Option("--job <id>", "the job").argParser(id).makeOptionMandatory();
export const NAME = new Option("--name <text>", "display name")
  .argParser(text(LIMITS.keyNameCharactersMax))
  .makeOptionMandatory();

export const QUOTA = new Option("--quota <n>", "a subscription's credits per period").argParser(wholeNumber);
export const PERIOD = new Option("--period <period>", "period of --quota").choices(["day", "month"]);
export const UNLIMITED = new Option("--unlimited", "unlimited access").conflicts(["quota", "credits"]);

export interface AccessOptions {
  readonly credits?: number;
  readonly quota?: number;
  readonly period?: Period;
  readonly unlimited?: true;
}

/** The unlimited or subscription access that the options select; null if they select neither. */
export function accessOf(
  { credits, quota, period, unlimited }: AccessOptions,
  self: Program,
): Exclude<Access, { kind: "credits" }> | null {
  if (credits !== undefined && quota !== undefined) self.error("error: choose one of --credits and --quota");
  if (unlimited) return { kind: "unlimited" };
  if (quota === undefined && period === undefined) return null;
  if (quota === undefined || period === undefined) {
    return self.error("error: --quota and --period day or month belong together");
  }
  return { kind: "subscription", quotaLimit: quota, period };
}
