/**
 * Sends the service worker the files of this page to keep, so that it opens without a connection (public/service-worker.js).
 * After a deployment, a new worker takes control: it gets the list again.
 */
export async function keepOffline(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const send = (worker: ServiceWorker | null): void =>
    worker?.postMessage(performance.getEntriesByType("resource").map(({ name }) => name));
  const { serviceWorker } = navigator;
  serviceWorker.addEventListener("controllerchange", () => send(serviceWorker.controller));
  await serviceWorker.register("/service-worker.js");
  send((await serviceWorker.ready).active);
}
