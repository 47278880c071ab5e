import { Outlet } from "@tanstack/react-router";
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { UnconfirmedBanner } from "#session/send-confirmation.tsx";
import { SessionGate } from "#session/session-gate.tsx";
import { Loading } from "#ui/page.tsx";
import { PageElement } from "./fallback-pages.tsx";
import { OfflineNotice } from "./offline-notice.tsx";
import { TopBar } from "./top-bar.tsx";

/** The bar and the page of a workspace. */
export function WorkspaceShell() {
  const { t } = useTranslation();
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded focus:bg-card focus:px-3 focus:py-2"
      >
        {t("skip")}
      </a>
      <TopBar />
      <OfflineNotice />
      <UnconfirmedBanner />
      <main id="content" tabIndex={-1} className="flex-1 outline-none">
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
