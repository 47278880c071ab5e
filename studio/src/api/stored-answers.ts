import { ConnectionError } from "creative-packs";

const PREFIX = "creative-packs.last-answer.";

/** Stores a response in this browser and returns the stored one when offline. */
export async function fetchOrRestore<T>(name: string, ask: () => Promise<T>): Promise<T> {
  const key = PREFIX + name;
  let answer: T;
  try {
    answer = await ask();
  } catch (error) {
    const kept = localStorage.getItem(key);
    if (!(error instanceof ConnectionError) || kept === null) throw error;
    return JSON.parse(kept);
  }
  try {
    localStorage.setItem(key, JSON.stringify(answer));
  } catch {
    // The browser's storage is full: the page works, but does not open offline.
  }
  return answer;
}

/** Deletes all stored responses when the session ends. */
export const deleteStoredAnswers = (): void => {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
};
