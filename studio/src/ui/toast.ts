import { Toast } from "@base-ui/react/toast";
import i18next from "i18next";
import { errorWords } from "#api/error-words.ts";

/** Short messages at the edge of the page; shown by toasts.tsx. */
export const toasts = Toast.createToastManager();

/** Tells that something is done. */
export const tell = (text: string): void => {
  toasts.add({ title: text, type: "done" });
};

/** Tells what went wrong, where no place of the page is nearer. */
export const tellError = (error: unknown): void => {
  const { text, reference } = errorWords(error, i18next.getFixedT(null, "common"));
  toasts.add({
    title: text,
    type: "error",
    priority: "high",
    ...(reference === null ? {} : { description: reference }),
  });
};
