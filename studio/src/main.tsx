import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { keepFocusNearby } from "./app/focus-fallback.ts";
import { readTheme, showTheme } from "./app/theme.ts";
import { startWords } from "./words/words.ts";
import "./style.css";
import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { queryClient } from "#api/queries.ts";
import { router } from "./app/router.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element #root");
showTheme(readTheme());
keepFocusNearby();
await startWords();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
// If this fails, only opening offline does not work.
keepOffline().catch(() => {});

/**
 * Sends this page's files to the service worker to cache, so that the page opens offline (public/service-worker.js).
 * After a deployment, a new worker takes control and gets the list again.
 */
async function keepOffline(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const send = (worker: ServiceWorker | null): void =>
    worker?.postMessage(performance.getEntriesByType("resource").map(({ name }) => name));
  const { serviceWorker } = navigator;
  serviceWorker.addEventListener("controllerchange", () => send(serviceWorker.controller));
  await serviceWorker.register("/service-worker.js");
  send((await serviceWorker.ready).active);
}

/** The whole app. Components must not add style elements, because the content security policy forbids them. */
function App() {
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  );
}
