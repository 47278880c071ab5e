import { ConnectionError } from "creative-packs";

const PREFIX = "creative-packs.last-answer.";

/** Keeps an answer of the service in this browser, and gives it again where there is no connection. */
export async function askOrRecall<T>(name: string, ask: () => Promise<T>): Promise<T> {
  const key = PREFIX + name;
  try {
    const answer = await ask();
    localStorage.setItem(key, JSON.stringify(answer));
    return answer;
  } catch (error) {
    const kept = localStorage.getItem(key);
    if (!(error instanceof ConnectionError) || kept === null) throw error;
    return JSON.parse(kept);
  }
}

/** Deletes what a person was answered. */
export const forgetAnswers = (): void => {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
};
