import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Mark } from "#ui/page.tsx";

interface AccountFrameProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** Around the pages for who is not signed in. */
export function AccountFrame({ title, children }: AccountFrameProps) {
  const { t } = useTranslation();
  return (
    <main className="mx-auto flex min-h-dvh max-w-sm flex-col justify-center gap-6 px-5 py-10">
      <title>{`${title} · Creative Packs`}</title>
      <div className="flex flex-col gap-6">
        <a href="/" className="flex items-center gap-2 self-start font-semibold tracking-tight">
          <Mark />
          {t("name")}
        </a>
        <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
      </div>
      {children}
    </main>
  );
}
