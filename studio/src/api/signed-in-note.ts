import { forgetAnswers } from "./last-answer.ts";

/**
 * Whether a session may stand in this browser. Its cookie is hidden from the page, and asking the service without one is an
 * error in the browser's console: so the page notes when somebody signs in.
 */
const NOTE = "creative-packs.signed-in";

export const mayBeSignedIn = (): boolean => localStorage.getItem(NOTE) !== null;
export const noteSignedIn = (): void => localStorage.setItem(NOTE, "yes");
export const noteSignedOut = (): void => {
  localStorage.removeItem(NOTE);
  forgetAnswers();
};
