import { useTranslation } from "react-i18next";
import { Button } from "#ui/button.tsx";
import { PackPicture } from "#ui/page.tsx";
import { ChooseFiles, useSampleSet } from "./files/files-section.tsx";
import type { Intake } from "./files/use-intake.ts";

/** When this area disappears because files were added, moves the focus from it to the files. */
const passFocusOn = (area: HTMLElement | null) => () => {
  if (area?.contains(document.activeElement)) document.getElementById("files")?.focus();
};

/** Placeholder for the grid. It explains what will appear, and offers two ways to start. */
export function EmptyEditor({ intake }: { readonly intake: Intake }) {
  const { t } = useTranslation("editor");
  const sample = useSampleSet(intake);
  return (
    <div ref={passFocusOn} className="bg-sunk lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:grid lg:p-6">
      <div className="flex flex-col items-center justify-center gap-6 rounded-2xl border-dashed border-strong-line px-4 py-8 text-center sm:px-6 lg:border lg:px-12">
        <PackPicture className="max-w-xl xl:max-w-2xl" />
        <div className="flex max-w-2xl flex-col gap-2">
          <h2 className="text-xl font-semibold sm:text-2xl tracking-tight text-balance">
            {t("files.emptyTitle")}
          </h2>
          <p className="text-balance text-quiet">
            <span className="max-sm:hidden">{t("files.lead")}</span>
            <span className="sm:hidden">{t("files.leadTouch")}</span>
          </p>
          <p className="mx-auto max-w-[40ch] text-sm text-balance text-quiet">{t("files.emptyText")}</p>
        </div>
        <div className="flex flex-wrap justify-center gap-2 max-sm:w-full max-sm:flex-col">
          <ChooseFiles intake={intake} kind="primary" />
          <Button isBusy={sample.isPending} onClick={() => sample.mutate()}>
            {t("files.sample")}
          </Button>
        </div>
        {sample.isError && (
          <p role="alert" className="rounded-md bg-red-soft px-3 py-2 text-sm">
            {t("files.loseSample")}
          </p>
        )}
      </div>
    </div>
  );
}
