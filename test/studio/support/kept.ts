import type { Page } from "playwright-core";
import type { Draft } from "../../../studio/src/editor/draft/draft.ts";

/** The draft in the browser's storage, which the page does not show; null while there is none. */
export const keptDraft = (page: Page): Promise<Draft | null> =>
  page.evaluate<Draft | null>(`new Promise((resolve, reject) => {
    const opening = indexedDB.open("creative-packs");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const reading = opening.result.transaction("drafts").objectStore("drafts").getAll();
      reading.onsuccess = () => {
        opening.result.close();
        resolve(reading.result.find(({ history }) => history !== undefined)?.history.present ?? null);
      };
    };
  })`);
