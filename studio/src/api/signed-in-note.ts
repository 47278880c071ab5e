import { deleteStoredAnswers } from "./stored-answers.ts";

/**
 * Whether this browser may have a session. The page cannot see the cookie, and requests without one log an error in the
 * console, so the page notes each sign-in.
 */
const NOTE = "creative-packs.signed-in";

export const mayBeSignedIn = (): boolean => localStorage.getItem(NOTE) !== null;
export const noteSignedIn = (): void => localStorage.setItem(NOTE, "yes");
export const noteSignedOut = (): void => {
  localStorage.removeItem(NOTE);
  deleteStoredAnswers();
};
