import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import pack from "./empty-pack.svg";

interface PageProps {
  readonly title: string;
  /** Shown beside the title. */
  readonly aside?: ReactNode;
  /** One sentence about the page's purpose. */
  readonly lead?: ReactNode;
  /** Shown at the end of the title's line. */
  readonly actions?: ReactNode;
  /** Uses the full width, for pages with pictures. On a phone, the actions are under the lead. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** A workspace page: title, actions, content. Also sets the tab's title. */
export function Page({ title, aside, lead, actions, isWide = false, children }: PageProps) {
  return (
    <div
      className={`mx-auto flex w-full flex-col gap-6 px-4 py-5 sm:px-8 sm:py-8 ${isWide ? "max-w-400" : "max-w-6xl"}`}
    >
      <title>{`${title} · Creative Packs`}</title>
      <div className="flex flex-col gap-2 sm:gap-1">
        <div
          className={`flex flex-wrap items-center justify-between gap-x-4 gap-y-3 ${isWide ? "max-sm:contents" : ""}`}
        >
          <div className="flex min-w-0 items-start justify-between sm:items-center">
            <h1 className="min-w-0 text-2xl font-semibold tracking-tight break-words max-sm:text-xl/8">
              {title}
            </h1>
            <div className="max-sm:-mr-3.5">{aside}</div>
          </div>
          {actions !== undefined && (
            <div
              className={`flex flex-wrap items-center gap-2 ${isWide ? "max-sm:order-last max-sm:mt-2 max-sm:*:flex-auto" : ""}`}
            >
              {actions}
            </div>
          )}
        </div>
        {lead !== undefined && <p className="max-w-2xl text-sm text-quiet">{lead}</p>}
      </div>
      {children}
    </div>
  );
}

/** A drawing of a pack: tiles of several sizes, each with a photo, a headline and a button. */
export const PackPicture = ({ className }: { readonly className: string }) => (
  <img src={pack} alt="" width={482} height={202} className={`mb-3 h-auto w-full ${className}`} />
);

interface EmptyStateProps {
  /** Whether the list is for packs. Then a drawing of a pack is shown. */
  readonly isOfPacks?: boolean;
  readonly title: string;
  /** Explains what the list will contain, and how to add to it. */
  readonly text: ReactNode;
  readonly action?: ReactNode;
}

/** Placeholder of an empty list. */
export function EmptyState({ isOfPacks = false, title, text, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-3 rounded-xl border border-dashed border-line px-6 py-14 text-center">
      {isOfPacks && <PackPicture className="max-w-64" />}
      <h2 className="text-base font-semibold">{title}</h2>
      <p className="max-w-md text-sm text-quiet">{text}</p>
      {action}
    </div>
  );
}

/** Loading state of a page or part. */
export function Loading() {
  const { t } = useTranslation();
  return (
    <p role="status" className="p-8 text-center text-sm text-quiet">
      {t("loading")}
    </p>
  );
}

/** A titled section of a page. */
export function Card({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4 rounded-lg border border-line bg-card p-5">
      <h2 id={id} className="text-base font-semibold">
        {title}
      </h2>
      {children}
    </section>
  );
}

/** The service's logo: three sizes side by side. Screen readers skip it. */
export function Mark() {
  return (
    <span aria-hidden="true" className="flex items-end gap-[2px]">
      <i className="block h-4 w-[5px] rounded-[1px] bg-accent" />
      <i className="block h-[10px] w-[10px] rounded-[1px] bg-accent" />
      <i className="block h-[6px] w-[7px] rounded-[1px] bg-accent" />
    </span>
  );
}
