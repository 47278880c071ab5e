import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { keepFocusNearby } from "./app/focus-fallback.ts";
import { readTheme, showTheme } from "./app/theme.ts";
import { startWords } from "./words/words.ts";
import "./style.css";
import { CSPProvider } from "@base-ui/react/csp-provider";
import { Toast } from "@base-ui/react/toast";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { queryClient } from "#api/queries.ts";
import { toasts } from "#ui/toast.ts";
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

/** The whole page. The policy of the page lets no component write a style element. */
function App() {
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <Toast.Provider toastManager={toasts}>
          <RouterProvider router={router} />
          <Toasts />
        </Toast.Provider>
      </QueryClientProvider>
    </CSPProvider>
  );
}

/** The messages of toast.ts, at the lower edge. */
function Toasts() {
  const { t } = useTranslation();
  const { toasts } = Toast.useToastManager();
  return (
    <Toast.Portal>
      <Toast.Viewport className="print:hidden fixed right-4 bottom-4 [body:has([data-order-bar])_&]:bottom-24 left-4 z-50 flex flex-col items-end gap-2 sm:left-auto sm:w-96">
        {toasts.map((toast) => (
          <Toast.Root
            key={toast.id}
            toast={toast}
            className={`flex w-full items-start gap-3 rounded-md border bg-card px-4 py-3 text-sm shadow-lg ${toast.type === "error" ? "border-red" : "border-line"}`}
          >
            <Toast.Content className="flex-1">
              <Toast.Title />
              <Toast.Description className="mt-1 text-xs text-quiet" />
            </Toast.Content>
            <Toast.Close aria-label={t("close")} className="text-quiet hover:text-ink">
              ✕
            </Toast.Close>
          </Toast.Root>
        ))}
      </Toast.Viewport>
    </Toast.Portal>
  );
}
