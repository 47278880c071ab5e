import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";

const subscribe = (listener: () => void): (() => void) => {
  for (const event of ["online", "offline"]) window.addEventListener(event, listener);
  return () => {
    for (const event of ["online", "offline"]) window.removeEventListener(event, listener);
  };
};

/** Says that there is no connection, and what goes on without one. */
export function OfflineNotice() {
  const { t } = useTranslation();
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  return (
    <p role="status" className="bg-amber-soft px-4 py-2 text-sm empty:hidden sm:px-8 print:hidden">
      {isOnline ? "" : t("offline")}
    </p>
  );
}
