import { CSPProvider } from "@base-ui/react/csp-provider";
import { Toast } from "@base-ui/react/toast";
import { X } from "lucide-react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { useTranslation } from "react-i18next";

/** The messages of toast.ts, at the lower edge; loaded with the first of them. */
export const toasts = Toast.createToastManager();

const root = createRoot(document.body.appendChild(document.createElement("div")));
// Render synchronously, because a toast that is added before the first render would be lost.
flushSync(() =>
  root.render(
    <CSPProvider disableStyleElements>
      <Toast.Provider toastManager={toasts}>
        <ToastList />
      </Toast.Provider>
    </CSPProvider>,
  ),
);

function ToastList() {
  const { t } = useTranslation();
  const { toasts: shown } = Toast.useToastManager();
  return (
    <Toast.Portal>
      <Toast.Viewport className="print:hidden fixed right-4 bottom-4 [body:has([data-order-bar])_&]:bottom-24 max-lg:[body:has([data-foot-bar])_&]:bottom-24 left-4 z-50 flex flex-col items-end gap-2 sm:left-auto sm:w-96">
        {shown.map((toast) => (
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
              <X className="size-4" />
            </Toast.Close>
          </Toast.Root>
        ))}
      </Toast.Viewport>
    </Toast.Portal>
  );
}
