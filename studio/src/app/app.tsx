import { CSPProvider } from "@base-ui/react/csp-provider";
import { Toast } from "@base-ui/react/toast";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { queryClient } from "#api/queries.ts";
import { toasts } from "#ui/toast.ts";
import { Toasts } from "#ui/toasts.tsx";
import { router } from "./router.tsx";

/** The whole page. The policy of the page lets no component write a style element. */
export function App() {
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
