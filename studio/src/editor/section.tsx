import { Collapsible } from "@base-ui/react/collapsible";
import { ChevronRight } from "lucide-react";
import { type ReactNode, useId, useState } from "react";

type PanelId = "files" | "words" | "style" | "sizes";

interface SectionProps {
  readonly panel: PanelId;
  readonly title: string;
  /** Shown at the end of the title's line. */
  readonly aside?: ReactNode;
  /** Summary of the choices, shown while closed. */
  readonly summary?: ReactNode;
  /** Opens the section even if the user closed it, because something needs attention. */
  readonly mustShow?: boolean;
  readonly children: ReactNode;
}

/** A collapsible section of the form. */
export function Section({ panel, title, aside, summary, mustShow = false, children }: SectionProps) {
  const titleId = useId();
  const [isOpen, setIsOpen] = useState(() => !closedPanels().includes(panel));
  const isShown = isOpen || mustShow;
  const toggle = (isNowOpen: boolean): void => {
    const others = closedPanels().filter((one) => one !== panel);
    localStorage.setItem(CLOSED, (isNowOpen ? others : [...others, panel]).join(" "));
    setIsOpen(isNowOpen);
  };
  return (
    <Collapsible.Root
      open={isShown}
      onOpenChange={toggle}
      render={<section id={panel} tabIndex={-1} aria-labelledby={titleId} className="px-4 outline-none" />}
    >
      <div className="relative -mx-4 flex items-center gap-4 px-4 py-3 hover:bg-sunk">
        <h2 id={titleId} className="shrink-0 text-sm font-semibold">
          <Collapsible.Trigger className="group flex items-center gap-1.5 after:absolute after:inset-0">
            <ChevronRight className="-ml-1 size-4 text-quiet transition-transform group-data-[panel-open]:rotate-90" />
            {title}
          </Collapsible.Trigger>
        </h2>
        <div className="ml-auto min-w-0 truncate text-sm text-quiet">
          {isShown ? aside : (summary ?? aside)}
        </div>
      </div>
      <Collapsible.Panel className="flex flex-col gap-3 pt-0.5 pb-4">{children}</Collapsible.Panel>
    </Collapsible.Root>
  );
}

const CLOSED = "creative-packs.closed-panels";
const closedPanels = (): readonly string[] => localStorage.getItem(CLOSED)?.split(" ") ?? [];
