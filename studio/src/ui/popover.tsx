import { Popover as Base } from "@base-ui/react/popover";
import type { ReactNode } from "react";

interface PopoverProps {
  /** Content of the button. */
  readonly text: ReactNode;
  readonly buttonStyle: string;
  readonly title: string;
  readonly children: ReactNode;
}

/** A button with a small popover, for a few fields. */
export function Popover({ text, buttonStyle, title, children }: PopoverProps) {
  return (
    <Base.Root>
      <Base.Trigger className={buttonStyle}>{text}</Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={6} collisionPadding={12} className="z-50">
          <Base.Popup className="flex w-64 flex-col gap-3 rounded-lg border border-line bg-card p-3.5 shadow-xl outline-none">
            <Base.Title className="text-sm font-semibold">{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
