import { Checkbox as Base } from "@base-ui/react/checkbox";
import { Check, Minus } from "lucide-react";
import type { ReactNode } from "react";

interface CheckboxProps {
  readonly isChecked: boolean;
  /** Whether only some of the items that it stands for are checked. */
  readonly isPartly?: boolean;
  readonly onChange: (isChecked: boolean) => void;
  readonly children: ReactNode;
}

/** A checkbox with its label. */
export function Checkbox({ isChecked, isPartly = false, onChange, children }: CheckboxProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the box is an element of its own with an input inside
    <label className="flex cursor-pointer items-start gap-2 text-sm">
      <Base.Root
        checked={isChecked}
        indeterminate={isPartly}
        onCheckedChange={onChange}
        className="mt-0.5 flex size-4 shrink-0 items-center justify-center rounded border border-strong-line bg-card data-[checked]:border-accent data-[checked]:bg-accent data-[indeterminate]:border-accent data-[indeterminate]:bg-accent"
      >
        <Base.Indicator className="text-on-accent">
          {isPartly ? (
            <Minus strokeWidth={3} className="size-3" />
          ) : (
            <Check strokeWidth={3} className="size-3" />
          )}
        </Base.Indicator>
      </Base.Root>
      <span>{children}</span>
    </label>
  );
}
