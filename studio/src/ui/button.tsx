import type { ComponentProps } from "react";

const KINDS = {
  /** The main action of a page. */
  primary:
    "bg-accent text-on-accent enabled:hover:opacity-90 border-transparent disabled:border-line disabled:bg-sunk disabled:text-quiet",
  secondary:
    "bg-card text-ink border-strong-line hover:border-ink disabled:border-line disabled:bg-sunk disabled:text-quiet",
  /** For secondary actions in bars and rows. */
  quiet: "border-transparent text-ink hover:bg-sunk disabled:text-quiet",
  /** Like `quiet`, but in the accent colour. For places where nothing else shows that it is a button. */
  link: "border-transparent text-accent hover:bg-accent-soft disabled:text-quiet",
  /** For actions that cannot be undone. */
  danger: "bg-red-soft text-red border-red hover:opacity-90",
} as const;
type ButtonKind = keyof typeof KINDS;

/** Classes of a button, for links that look like one. */
export const buttonStyle = (kind: ButtonKind = "secondary"): string =>
  `inline-flex min-h-9 items-center justify-center gap-2 rounded-md border px-3.5 py-1.5 text-sm font-medium whitespace-nowrap max-sm:min-h-11 pointer-coarse:min-h-11 disabled:cursor-not-allowed aria-disabled:opacity-50 aria-disabled:cursor-not-allowed ${KINDS[kind]}`;

export type ButtonProps = Omit<ComponentProps<"button">, "className"> & {
  readonly kind?: ButtonKind;
  /** Whether the action is running. The button then ignores clicks. */
  readonly isBusy?: boolean;
};

export function Button({ kind = "secondary", isBusy = false, onClick, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      // Not `disabled`, because a disabled button would lose the focus.
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      className={buttonStyle(kind)}
    >
      {isBusy && (
        // Drawn with CSS, so that the first page does not load the icon library.
        <span
          aria-hidden="true"
          className="size-3.5 animate-spin rounded-full border-2 border-current border-t-transparent"
        />
      )}
      {children}
    </button>
  );
}
