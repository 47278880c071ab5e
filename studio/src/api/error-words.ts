import { ApiError, ConnectionError, TimeoutError } from "creative-packs";
import i18next, { type TFunction } from "i18next";
import { refusalWordsOf } from "./refusal-words.ts";

const SERVER_STATUS_MIN = 500;

/**
 * Describes any error of a call: `text` says what happened and what to do next, `reference` is the request id or null.
 * Callers handle expected error codes themselves.
 */
export function errorWords(error: unknown, t: TFunction<"common">) {
  if (error instanceof TimeoutError) return { text: t("error.timeout"), reference: null };
  if (error instanceof ConnectionError) return { text: t("error.offline"), reference: null };
  if (!(error instanceof ApiError)) return { text: t("error.unknown"), reference: null };
  const reference = error.requestId === null ? null : t("error.reference", { requestId: error.requestId });
  const seconds = error.headers.get("Retry-After");
  if (error.code === "RATE_LIMITED" && seconds !== null) {
    return { text: t("error.rateLimited", { seconds }), reference: null };
  }
  const { resetsAt } = error.details;
  if (error.code === "BUDGET_EXHAUSTED" && resetsAt !== undefined) {
    const moment = new Intl.DateTimeFormat(i18next.language, { dateStyle: "medium", timeStyle: "short" });
    return { text: t("error.budget", { date: moment.format(new Date(resetsAt)) }), reference: null };
  }
  const words = refusalWordsOf(error.code);
  if (words !== null) return { text: t(`refusal.${words}`), reference };
  return { text: t(error.status >= SERVER_STATUS_MIN ? "error.server" : "error.unknown"), reference };
}
