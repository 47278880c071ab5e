import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Mark } from "#ui/page.tsx";
import picture from "./welcome-pack.webp";

interface AccountFrameProps {
  readonly title: string;
  /** Shown under the title. */
  readonly lead?: string;
  readonly children: ReactNode;
}

/** Layout of the pages for signed-out users. */
export function AccountFrame({ title, lead, children }: AccountFrameProps) {
  const { t } = useTranslation();
  return (
    <div className="flex min-h-dvh flex-col lg:grid lg:grid-cols-[minmax(24rem,5fr)_7fr]">
      <main className="mx-auto flex w-full max-w-sm flex-col justify-center gap-6 px-4 py-12 max-sm:max-w-none max-sm:py-6 sm:max-lg:grow">
        <title>{`${title} · Creative Packs`}</title>
        <div className="flex flex-col gap-6">
          <a href="/" className="flex items-center gap-2 self-start font-semibold tracking-tight">
            <Mark />
            {t("name")}
          </a>
          <div className="flex flex-col gap-1">
            <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
            {lead !== undefined && <p className="text-quiet">{lead}</p>}
          </div>
        </div>
        {children}
      </main>
      {/* Lazy, so that windows that are too narrow for the picture do not load it. */}
      <div className="flex grow items-center bg-sunk px-4 py-6 sm:max-lg:hidden lg:p-12">
        <img src={picture} alt="" loading="lazy" width={976} height={693} className="h-auto w-full" />
      </div>
    </div>
  );
}
