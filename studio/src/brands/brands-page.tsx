import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useIsOwner, useWorkspaceId } from "#app/workspace.ts";
import { Swatch } from "#editor/style/colour-button.tsx";
import { brandsQuery } from "#packs/pack-queries.ts";
import { Button } from "#ui/button.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { EmptyState, Loading, Page } from "#ui/page.tsx";
import { BrandDialog } from "./brand-dialog.tsx";
import { BrandLogo } from "./brand-files.tsx";
import { type BrandForm, EMPTY_BRAND } from "./brand-queries.ts";

/** The workspace's brands. */
export function BrandsPage() {
  const { t } = useTranslation("brands");
  const { data, error, isPending } = useQuery(brandsQuery(useWorkspaceId()));
  const [open, setOpen] = useState<BrandForm | null>(null);
  const create = useIsOwner() && (
    <Button kind="primary" onClick={() => setOpen(EMPTY_BRAND)}>
      <Plus size={16} />
      {t("new")}
    </Button>
  );
  const isEmpty = data?.length === 0;
  return (
    <Page title={t("title")} lead={t("lead")} actions={!isPending && !isEmpty && create}>
      {isPending && <Loading />}
      <ErrorNote error={error} />
      {isEmpty && <EmptyState title={t("empty.title")} text={t("empty.text")} action={create} />}
      <ul className="grid gap-5 empty:hidden sm:grid-cols-2 lg:grid-cols-3">
        {data?.map((brand) => (
          <li key={brand.brandId} className="grid">
            <BrandCard brand={brand} onOpen={() => setOpen(brand)} />
          </li>
        ))}
      </ul>
      {open !== null && <BrandDialog brand={open} onClose={() => setOpen(null)} />}
    </Page>
  );
}

function BrandCard({ brand, onOpen }: { readonly brand: BrandForm; readonly onOpen: () => void }) {
  const { t: editor } = useTranslation("editor");
  const { name, colors, look, assetIds } = brand;
  const { logoOnLight, logoOnDark } = assetIds;
  return (
    <button
      type="button"
      onClick={onOpen}
      className="flex min-w-0 flex-col overflow-hidden rounded-lg border border-line bg-card text-left hover:border-strong-line"
    >
      <span className="flex w-full">
        <BrandLogo assetId={logoOnLight} on="light" text={name} />
        {logoOnDark && <BrandLogo assetId={logoOnDark} on="dark" text={name} />}
      </span>
      <span className="flex min-h-24 w-full flex-1 flex-col gap-3 border-t border-line p-4">
        <span className="flex items-baseline justify-between gap-3">
          <span className="truncate font-medium">{name}</span>
          {look && <span className="text-xs text-quiet">{editor(`style.looks.${look}.name`)}</span>}
        </span>
        <span className="flex gap-1.5 [&>span]:w-7">
          {[...new Set(Object.values(colors))].map((colour) => (
            <Swatch key={colour} colour={colour} />
          ))}
        </span>
      </span>
    </button>
  );
}
