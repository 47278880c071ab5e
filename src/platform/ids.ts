import { v7 } from "uuid";

/** A new UUIDv7: ordered by time, so that index pages stay warm. */
export const newId = (): string => v7();
