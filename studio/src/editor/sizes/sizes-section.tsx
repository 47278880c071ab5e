import { useQuery } from "@tanstack/react-query";
import type { Contract } from "creative-packs";
import { shareSizes } from "creative-packs-service/shared-sizes";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { Loading } from "#ui/page.tsx";
import { emptyDraft } from "../draft/draft.ts";
import { useDraft, useEdit } from "../draft/editor-store.ts";
import { networksServedBy } from "../draft/edits.ts";
import { Section } from "../section.tsx";
import { sizesIn, withFormat } from "./change-contract.ts";
import { contractQuery, useContract } from "./contract-queries.ts";
import { MotionFields } from "./motion-fields.tsx";
import { outlineOf, useSizeNames } from "./size-names.ts";
import { SizePicker } from "./size-picker.tsx";

/** The pack's sizes, motion and format, with their price. */
export function SizesSection() {
  const { t } = useTranslation("editor");
  const contract = useContract();
  return (
    <Section
      panel="sizes"
      title={t("sizes.title")}
      aside={contract.data && <Count contract={contract.data} />}
    >
      {contract.isPending && <Loading />}
      <ErrorNote error={contract.error} />
      {contract.data && <Choose contract={contract.data} />}
    </Section>
  );
}

function Count({ contract: { prices } }: { readonly contract: Contract }) {
  const { t } = useTranslation("editor");
  const count = useDraft((draft) => draft.sizeIds.length);
  const motion = useDraft((draft) => draft.motion);
  return (
    <p aria-live="polite" className="text-sm text-quiet tabular-nums">
      {t("sizes.chosen", { count })} · {t("sizes.credits", { count: count * prices[motion] })}
    </p>
  );
}

/** Outlines of the chosen images with their networks, and a button to choose others. */
function Choose({ contract }: { readonly contract: Contract }) {
  const { t } = useTranslation("editor");
  const { groupNames } = useSizeNames();
  const [isOpen, setIsOpen] = useState(false);
  const edit = useEdit();
  // Read the newest contract, too, because a reordered pack may use an older or smaller one.
  const { data: every } = useQuery(contractQuery(emptyDraft.contractId));
  const format = useDraft((draft) => draft.outputFormat);
  const sizeIds = useDraft((draft) => draft.sizeIds);
  const sizes = sizesIn(contract, format);
  const takers = new Set(sizes.map(({ group }) => group));
  const others = contract.sizes.map(({ group }) => group).filter((group) => !takers.has(group));
  const images = shareSizes(sizes, format).filter((image) => networksServedBy(image, sizeIds).length > 0);
  const served = images.flatMap((image) => networksServedBy(image, sizeIds));
  return (
    <>
      <MotionFields contract={contract} />
      {others.length > 0 && (
        <p className="text-xs text-quiet">
          {t("sizes.notMade", { format: format.toUpperCase(), names: groupNames(others) })}
        </p>
      )}
      <div className="flex flex-col gap-3 rounded-lg border border-line bg-card p-3">
        <div aria-hidden="true" className="flex flex-wrap items-center gap-1.5">
          {images.map(({ size }) => (
            <span
              key={size.sizeId}
              style={outlineOf(size)}
              className="rounded-[2px] border border-accent bg-accent-soft"
            />
          ))}
        </div>
        <p className="text-xs text-quiet">
          {t(served.length === 0 ? "sizes.noneChosen" : "sizes.servedNetworks", {
            names: groupNames(served),
          })}
        </p>
        <Button onClick={() => setIsOpen(true)}>{t("sizes.choose")}</Button>
        {every !== undefined && every.contractId !== contract.contractId && (
          <Button kind="quiet" onClick={() => edit((draft) => withFormat(draft, every, format))}>
            {t("sizes.everySize")}
          </Button>
        )}
      </div>
      <Dialog title={t("sizes.choose")} isOpen={isOpen} onClose={() => setIsOpen(false)} width="large">
        <SizePicker contract={contract} onDone={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
}
