import { CreativePacks } from "../../sdk/src/index.ts";

/** A client of a service that is measured. What fails ends the case: a second try would be measured with the first. */
export const openClient = (baseUrl: string, apiKey: string): CreativePacks =>
  new CreativePacks({ baseUrl, apiKey, maxRetries: 0, timeoutMs: ANSWER_MS_MAX });

/** Beyond this something hangs. */
const ANSWER_MS_MAX = 300_000;
