import { CreativePacksError } from "../index.ts";

/** The command line, its settings or a file asks for what cannot be; the message says what to change. */
export class UsageError extends CreativePacksError {}
