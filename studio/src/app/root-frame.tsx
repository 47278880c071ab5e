import { Outlet } from "@tanstack/react-router";
import { Suspense } from "react";
import { Loading } from "#ui/page.tsx";

/** What is around every page. */
export function RootFrame() {
  return (
    <Suspense fallback={<Loading />}>
      <Outlet />
    </Suspense>
  );
}
