import { Menu as Base } from "@base-ui/react/menu";
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { buttonStyle } from "./button.tsx";

const ITEM =
  "flex w-full cursor-pointer items-center gap-2 rounded px-2.5 py-1.5 text-left text-sm text-ink outline-none data-[highlighted]:bg-sunk aria-[current]:font-medium aria-[current]:text-accent pointer-coarse:min-h-11";

interface MenuProps {
  /** Label for screen readers. */
  readonly label: string;
  /** Content of the button. */
  readonly text: ReactNode;
  readonly kind?: Parameters<typeof buttonStyle>[0];
  readonly children: ReactNode;
}

/** A button that opens a menu. */
export function Menu({ label, text, kind = "quiet", children }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger aria-label={label} className={buttonStyle(kind)}>
        {text}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="end" className="z-50 outline-none">
          <Base.Popup className="min-w-52 rounded-md border border-line bg-card p-1 shadow-lg outline-none">
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface ItemProps {
  readonly onClick: () => void;
  readonly isDisabled?: boolean;
  readonly children: ReactNode;
}

Menu.Item = function MenuItem({ onClick, isDisabled = false, children }: ItemProps) {
  return (
    <Base.Item onClick={onClick} disabled={isDisabled} className={`${ITEM} data-disabled:text-quiet`}>
      {children}
    </Base.Item>
  );
};

/** A menu item that is a link: `href` for a file of the site, or `render` for a router link. */
Menu.Link = function MenuLink(props: Pick<Base.LinkItem.Props, "href" | "render" | "children">) {
  return <Base.LinkItem {...props} closeOnClick className={ITEM} />;
};

Menu.Heading = function MenuHeading({ children }: { readonly children: ReactNode }) {
  return <p className="px-2.5 py-1.5 text-xs text-quiet">{children}</p>;
};

Menu.Separator = function MenuSeparator() {
  return <Base.Separator className="my-1 border-t border-line" />;
};

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: Value; readonly text: string }[];
  readonly onChange: (value: Value) => void;
}

Menu.Choice = function MenuChoice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, value, options, onChange } = props;
  return (
    <Base.Group>
      <Base.GroupLabel className="px-2.5 pt-2 pb-0.5 text-xs text-quiet">{label}</Base.GroupLabel>
      <Base.RadioGroup value={value} onValueChange={onChange}>
        {options.map((option) => (
          <Base.RadioItem key={option.value} value={option.value} className={ITEM}>
            <span className="w-4" aria-hidden="true">
              <Base.RadioItemIndicator>
                <Check className="size-4" />
              </Base.RadioItemIndicator>
            </span>
            {option.text}
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  );
};
