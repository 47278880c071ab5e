import i18next from "i18next";
import { errorWords } from "#api/error-words.ts";

/** Shows a short message at the edge of the page. */
const add = (toast: Parameters<typeof import("./toast-list.tsx")["toasts"]["add"]>[0]): void => {
  void import("./toast-list.tsx").then(({ toasts }) => toasts.add(toast));
};

/** Confirms a completed action. */
export const showToast = (text: string): void => {
  add({ title: text, type: "done" });
};

/** Reports an error for which the page has no other place. */
export const showErrorToast = (error: unknown): void => {
  const { text, reference } = errorWords(error, i18next.getFixedT(null, "common"));
  add({
    title: text,
    type: "error",
    priority: "high",
    ...(reference === null ? {} : { description: reference }),
  });
};
