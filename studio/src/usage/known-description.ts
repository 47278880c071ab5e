import { LEDGER_DESCRIPTIONS } from "creative-packs-service/ledger-descriptions";

type KnownDescription = keyof typeof LEDGER_DESCRIPTIONS;

const isKnown = (name: string): name is KnownDescription => Object.hasOwn(LEDGER_DESCRIPTIONS, name);
const NAMES = Object.keys(LEDGER_DESCRIPTIONS).filter(isKnown);

/** The name of a description that the service writes by itself; null for one that an operator wrote. */
export const knownDescription = (text: string): KnownDescription | null =>
  NAMES.find((name) => LEDGER_DESCRIPTIONS[name] === text) ?? null;
