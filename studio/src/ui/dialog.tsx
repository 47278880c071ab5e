import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

const WIDTHS = {
  narrow: "max-sm:inset-0 sm:max-w-md",
  wide: "max-sm:inset-x-0 max-sm:bottom-0 max-sm:max-h-dvh max-sm:rounded-t-xl sm:max-w-3xl",
  large: "max-sm:inset-0 sm:max-w-5xl",
  full: "max-sm:inset-0 sm:h-full sm:max-w-400",
} as const;

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly width?: keyof typeof WIDTHS;
  readonly children: ReactNode;
}

/**
 * A dialog with a title and a close button; Escape closes it. On a phone it fills the screen. `width`: `wide` makes it
 * as wide as its content.
 */
export function Dialog({ title, isOpen, onClose, width = "narrow", children }: DialogProps) {
  const { t } = useTranslation();
  return (
    <Base.Root open={isOpen} onOpenChange={(isNowOpen) => !isNowOpen && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-veil" />
        <Base.Popup
          className={`fixed z-50 flex flex-col overflow-hidden bg-paper outline-none sm:top-1/2 sm:left-1/2 sm:max-h-[calc(100dvh-48px)] sm:w-[calc(100vw-1.5rem)] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-lg sm:border sm:border-line sm:shadow-2xl ${WIDTHS[width]}`}
        >
          <div className="flex items-center justify-between gap-4 border-b border-line px-4 py-2.5">
            <Base.Title className="text-base font-semibold">{title}</Base.Title>
            <Base.Close
              aria-label={t("close")}
              className="-mr-2 flex size-9 items-center pointer-coarse:size-11 justify-center rounded-md text-quiet hover:bg-sunk hover:text-ink"
            >
              <X className="size-4" />
            </Base.Close>
          </div>
          <div className="flex min-h-0 flex-1 flex-col overflow-y-auto p-4 not-has-[.dialog-foot]:*:shrink-0 has-[.dialog-foot]:contents">
            {children}
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
