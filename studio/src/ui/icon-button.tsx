import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";

interface IconButtonProps extends Omit<ComponentProps<"button">, "children" | "type"> {
  readonly icon: LucideIcon;
  readonly label: string;
  /** Whether the label is shown beside the icon in a wide window. Otherwise only screen readers read it. */
  readonly isLabelShown?: boolean;
}

/** A quiet button with an icon. */
export const IconButton = ({
  icon: Icon,
  label,
  isLabelShown = false,
  className,
  ...rest
}: IconButtonProps) => (
  <button
    type="button"
    title={isLabelShown ? undefined : label}
    {...rest}
    className={`flex h-9 min-w-9 shrink-0 items-center justify-center gap-2 rounded-md px-2 text-sm hover:bg-sunk aria-pressed:bg-accent-soft aria-pressed:text-accent disabled:opacity-30 ${className ?? ""}`}
  >
    <Icon className="size-4 shrink-0" />
    <span className={isLabelShown ? "max-sm:sr-only" : "sr-only"}>{label}</span>
  </button>
);
