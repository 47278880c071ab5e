import { type ErrorComponentProps, Link, Outlet, useRouter } from "@tanstack/react-router";
import { createContext, Suspense, useContext, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonStyle } from "#ui/button.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { Loading } from "#ui/page.tsx";

const FRAME = "mx-auto flex min-h-[60dvh] max-w-lg flex-col items-start justify-center gap-4 px-6 py-16";

/** Shown for an unknown address. */
export function NotFoundPage() {
  const { t } = useTranslation();
  return (
    <main className={FRAME}>
      <h1 className="text-2xl font-semibold">{t("notFound.title")}</h1>
      <p className="text-quiet">{t("notFound.text")}</p>
      <Link to="/" className={buttonStyle("secondary")}>
        {t("notFound.home")}
      </Link>
    </main>
  );
}

/** Element around a page: `main`, or `div` inside a workspace, which has a `main` already. */
export const PageElement = createContext<"main" | "div">("main");

/** Shown when a page's data or script failed to load. Retries when the connection is back. */
export function FailedPage({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation();
  const router = useRouter();
  const Frame = useContext(PageElement);
  const tryAgain = useRef(() => {});
  tryAgain.current = () => {
    reset();
    void router.invalidate();
  };
  useEffect(() => {
    const onOnline = (): void => tryAgain.current();
    window.addEventListener("online", onOnline);
    return () => window.removeEventListener("online", onOnline);
  }, []);
  return (
    <Frame className={FRAME}>
      <h1 className="text-2xl font-semibold">{t("failed.title")}</h1>
      <ErrorNote error={error} />
      <Button onClick={() => tryAgain.current()}>{t("retry")}</Button>
    </Frame>
  );
}

/** Layout around every page. */
export function RootFrame() {
  return (
    <Suspense fallback={<Loading />}>
      <Outlet />
    </Suspense>
  );
}
