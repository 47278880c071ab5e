import { useTranslation } from "react-i18next";
import type { FileFault } from "./inspect-file.ts";
import type { Intake, Refused } from "./use-intake.ts";

/** Files that were not taken, each with why and what to do. */
export function FileFaults({ intake }: { readonly intake: Intake }) {
  if (intake.refused.length === 0) return null;
  return (
    <ul className="flex flex-col gap-2">
      {intake.refused.map((one) => (
        <Fault key={one.id} refused={one} onDismiss={() => intake.dismiss(one.id)} />
      ))}
    </ul>
  );
}

function Fault({ refused, onDismiss }: { readonly refused: Refused; readonly onDismiss: () => void }) {
  const { t } = useTranslation("editor");
  const words = useFaultWords();
  return (
    <li
      role="alert"
      className="flex items-start gap-3 rounded-md border border-red bg-red-soft px-3 py-2 text-sm"
    >
      <span className="min-w-0 flex-1 break-words">{words(refused.name, refused.fault)}</span>
      <button
        type="button"
        aria-label={t("files.dismiss")}
        onClick={onDismiss}
        className="px-1 hover:text-red"
      >
        ✕
      </button>
    </li>
  );
}

const BYTES_PER_MEGABYTE = 1_048_576;

function useFaultWords(): (name: string, fault: FileFault) => string {
  const { t } = useTranslation("editor");
  return (name, fault) => {
    if (fault.code === "tooManyBytes")
      return t("fileFault.tooManyBytes", {
        name,
        megabytes: Math.floor(fault.bytesMax / BYTES_PER_MEGABYTE),
      });
    if (fault.code === "tooManyPixels")
      return t("fileFault.tooManyPixels", { name, megapixels: fault.megapixelsMax, ...fault.largest });
    if (fault.code === "notTaken")
      return fault.kind === null
        ? t("fileFault.notTakenUnknown", { name })
        : t("fileFault.notTaken", { name, kind: fault.kind });
    return t(`fileFault.${fault.code}`, { name });
  };
}
