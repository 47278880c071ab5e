import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

const WIDTHS = { narrow: "max-w-md", wide: "max-w-3xl", large: "max-w-5xl", full: "max-w-400" } as const;

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly width?: keyof typeof WIDTHS;
  readonly children: ReactNode;
}

/** A window over the page, with a title, and a way out at its corner and by Escape. */
export function Dialog({ title, isOpen, onClose, width = "narrow", children }: DialogProps) {
  const { t } = useTranslation();
  return (
    <Base.Root open={isOpen} onOpenChange={(isNowOpen) => !isNowOpen && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-veil" />
        <Base.Popup
          className={`fixed top-1/2 left-1/2 z-50 flex max-h-[94dvh] w-[calc(100vw-1.5rem)] -translate-x-1/2 -translate-y-1/2 flex-col overflow-hidden rounded-lg border border-line bg-paper shadow-2xl outline-none ${WIDTHS[width]}`}
        >
          <div className="flex items-center justify-between gap-4 border-b border-line px-5 py-3">
            <Base.Title className="text-base font-semibold">{title}</Base.Title>
            <Base.Close
              aria-label={t("close")}
              className="-mr-2 flex size-8 items-center justify-center rounded-md text-quiet hover:bg-sunk hover:text-ink"
            >
              <X className="size-4" />
            </Base.Close>
          </div>
          <div className="overflow-y-auto px-5 py-4">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
