import { deleteStoredAnswers } from "./stored-answers.ts";

/**
 * Whether this browser may have a session. The page cannot read the cookie, and requests without a session log an error
 * in the console. So the page stores a note at each sign-in.
 */
const NOTE = "creative-packs.signed-in";

export const mayBeSignedIn = (): boolean => localStorage.getItem(NOTE) !== null;
export const noteSignedIn = (): void => localStorage.setItem(NOTE, "yes");
export const noteSignedOut = (): void => {
  localStorage.removeItem(NOTE);
  deleteStoredAnswers();
};
