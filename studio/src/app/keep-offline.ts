/** Has the service worker keep the files of this page, so that it opens without a connection (public/service-worker.js). */
export async function keepOffline(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  await navigator.serviceWorker.register("/service-worker.js");
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage(performance.getEntriesByType("resource").map(({ name }) => name));
}
