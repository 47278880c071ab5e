/**
 * Removes what this origin keeps in the browser, whoever's it is: drafts with their files, settings, notes of the page, and
 * caches. The page has to be loaded anew afterwards: it keeps no draft any more.
 */
export async function removeDeviceData(): Promise<void> {
  const { dropAllDrafts } = await import("#editor/draft/kept-draft.ts");
  await dropAllDrafts();
  localStorage.clear();
  sessionStorage.clear();
  // Pages without https have no caches.
  if (!("caches" in globalThis)) return;
  for (const name of await caches.keys()) await caches.delete(name);
}
