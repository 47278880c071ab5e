import { Outlet } from "@tanstack/react-router";
import { Suspense, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { UnconfirmedBanner } from "#session/send-confirmation.tsx";
import { SessionGate } from "#session/session-gate.tsx";
import { Loading } from "#ui/page.tsx";
import { PageElement } from "./fallback-pages.tsx";
import { TopBar } from "./top-bar.tsx";

/** Top bar and page of a workspace. */
export function WorkspaceShell() {
  const { t } = useTranslation();
  return (
    <div className="flex min-h-dvh flex-col lg:has-data-editor:h-dvh">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded focus:bg-card focus:px-3 focus:py-2"
      >
        {t("skip")}
      </a>
      <TopBar />
      <OfflineNotice />
      <UnconfirmedBanner />
      <main id="content" tabIndex={-1} className="flex-1 outline-none lg:has-data-editor:min-h-0">
        <SessionGate>
          <Suspense fallback={<Loading />}>
            <PageElement value="div">
              <Outlet />
            </PageElement>
          </Suspense>
        </SessionGate>
      </main>
    </div>
  );
}

const subscribeToConnection = (listener: () => void): (() => void) => {
  for (const event of ["online", "offline"]) window.addEventListener(event, listener);
  return () => {
    for (const event of ["online", "offline"]) window.removeEventListener(event, listener);
  };
};

/** Banner shown while offline. It says what still works. */
function OfflineNotice() {
  const { t } = useTranslation();
  const isOnline = useSyncExternalStore(subscribeToConnection, () => navigator.onLine);
  return (
    <p role="status" className="bg-amber-soft px-4 py-2 text-sm empty:hidden sm:px-8 print:hidden">
      {isOnline ? "" : t("offline")}
    </p>
  );
}
