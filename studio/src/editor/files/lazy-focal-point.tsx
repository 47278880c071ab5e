import { type ComponentProps, lazy, Suspense } from "react";
import type { FocalPointDialog as Dialog } from "./focal-point-dialog.tsx";

const Loaded = lazy(async () => ({ default: (await import("./focal-point-dialog.tsx")).FocalPointDialog }));

/** The window for a crop, loaded when it is first opened. */
export const FocalPointDialog = (props: ComponentProps<typeof Dialog>) => (
  <Suspense>
    <Loaded {...props} />
  </Suspense>
);
