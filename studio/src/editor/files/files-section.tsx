import { useMutation, useQuery } from "@tanstack/react-query";
import logoAddress from "creative-packs-service/samples/studio-logo.png?url";
import photoAddress from "creative-packs-service/samples/studio-photo.webp?url";
import { MIME_TYPES, SLOT_IDS } from "creative-packs-service/slots";
import { Upload, X } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { clientOf } from "#api/client.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { useHasPicture } from "#brands/draft-brand.ts";
import { useReportWords } from "#report/use-report-words.ts";
import { Button, type ButtonProps } from "#ui/button.tsx";
import { filesOf, type TextField } from "../draft/draft.ts";
import { useDraft, useEdit } from "../draft/editor-store.ts";
import { setText } from "../draft/edits.ts";
import { Section } from "../section.tsx";
import { useFaultyFiles } from "../use-engine.ts";
import { AssetPicker } from "./asset-picker.tsx";
import { FileCard } from "./file-card.tsx";
import { conflictsOf } from "./guess-slot.ts";
import type { FileFault } from "./inspect-file.ts";
import type { Uploads } from "./uploads.ts";
import { type Incoming, type Intake, incomingOf } from "./use-intake.ts";

interface FilesSectionProps {
  readonly intake: Intake;
  readonly uploads: Uploads;
}

const ACCEPT = [...MIME_TYPES, ".heic", ".heif", ".woff", ".woff2"].join(",");

/** The pack's files, and all ways to add more. */
export function FilesSection({ intake, uploads }: FilesSectionProps) {
  const { t } = useTranslation("editor");
  const files = filesOf(useDraft((draft) => draft.files));
  const hasPictures = useHasPicture();
  const [isChoosing, setIsChoosing] = useState(false);
  const workspaceId = useWorkspaceId();
  const { data: kept } = useQuery({
    queryKey: ["workspace", workspaceId, "assets", "any"],
    queryFn: ({ signal }) =>
      clientOf(workspaceId).assets.list({ status: "ready", limit: 1 }, { signal }).firstPage(),
  });
  const conflicts = conflictsOf(files.map(([slot]) => slot));
  const isUnsent = Object.values(uploads).some((upload) => upload?.status === "failed");
  const hasFaulty = Object.keys(useFaultyFiles()).length > 0;
  return (
    <Section
      panel="files"
      title={t("files.title")}
      summary={files.map(([, { name }]) => name).join(", ")}
      mustShow={conflicts.length > 0 || intake.refused.length > 0 || isUnsent || hasFaulty}
    >
      <ul className="flex flex-col gap-2 empty:hidden">
        {files.map(([slot, file]) => (
          <FileCard key={`${slot}-${file.sha256}`} slot={slot} file={file} upload={uploads[slot]} />
        ))}
      </ul>
      {conflicts.map(({ kind, slot, other }) => (
        <p key={`${slot}-${other}`} role="alert" className="rounded-md bg-red-soft px-3 py-2 text-sm">
          {t(`files.${kind}`, { slot: t(`slots.${slot}`), other: t(`slots.${other}`) })}
        </p>
      ))}
      <BrandFileFaults />
      <FileFaults intake={intake} />
      <p role="status" className="text-sm text-quiet empty:hidden">
        {intake.readingCount > 0 ? t("files.reading", { count: intake.readingCount }) : ""}
      </p>
      <div className="flex flex-wrap gap-2">
        {hasPictures && <ChooseFiles intake={intake} />}
        {kept?.items[0] && <Button onClick={() => setIsChoosing(true)}>{t("files.earlier")}</Button>}
      </div>
      <AssetPicker isOpen={isChoosing} onClose={() => setIsChoosing(false)} intake={intake} />
    </Section>
  );
}

/** Adds the sample's pictures, and its texts if the draft has none. */
export function useSampleSet(intake: Intake) {
  const { t } = useTranslation("editor");
  const edit = useEdit();
  return useMutation({
    networkMode: "always",
    mutationFn: async () => intake.take(await fetchSampleSet()),
    onSuccess: () =>
      edit((draft) =>
        SAMPLE_TEXTS.reduce(
          (now, field) => (now.texts[field] === "" ? setText(now, field, t(`copy.example.${field}`)) : now),
          draft,
        ),
      ),
  });
}

/** A button that opens the file chooser. */
export function ChooseFiles({
  intake,
  kind = "secondary",
}: Pick<ButtonProps, "kind"> & { readonly intake: Intake }) {
  const { t } = useTranslation("editor");
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        accept={ACCEPT}
        hidden
        onChange={({ currentTarget }) => {
          const chosen = incomingOf(currentTarget.files);
          // Lets the user choose the same file again.
          currentTarget.value = "";
          void intake.take(chosen);
        }}
      />
      <Button kind={kind} onClick={() => input.current?.click()}>
        <Upload className="-ml-1 size-4" />
        {t("files.choose")}
      </Button>
    </>
  );
}

/** Sample pictures from the repository, served as files of the Studio. */

const FILES = [
  { address: photoAddress, name: "dandelion.webp", slot: "media" },
  { address: logoAddress, name: "pappus.png", slot: "logo" },
] as const;

/** The sample uses the example texts of these fields. */
const SAMPLE_TEXTS = ["headline", "subheadline", "cta"] as const satisfies readonly TextField[];

/** Fetches the sample files. Throws if one fails. */
const fetchSampleSet = (): Promise<Incoming[]> =>
  Promise.all(
    FILES.map(async ({ address, name, slot }) => {
      const response = await fetch(address);
      if (!response.ok) throw new Error(`${name} answered ${response.status}`);
      return { blob: await response.blob(), name, slot };
    }),
  );

/** Brand files that cannot be drawn; the draft has no cards for them. */
function BrandFileFaults() {
  const { t } = useTranslation("editor");
  const { faultWords } = useReportWords();
  const files = useDraft((draft) => draft.files);
  const faulty = useFaultyFiles();
  return SLOT_IDS.map((slot) => {
    const fault = faulty[slot];
    if (fault === undefined || files[slot] !== undefined) return null;
    return (
      <p key={slot} role="alert" className="text-xs text-red">
        {`${t(`slots.${slot}`)}: ${faultWords(fault)} ${t("files.faulty")}`}
      </p>
    );
  });
}

/** Rejected files, each with its reason and what to do. */
function FileFaults({ intake }: { readonly intake: Intake }) {
  const { t } = useTranslation("editor");
  const words = useFaultWords();
  return (
    <ul className="flex flex-col gap-2 empty:hidden">
      {intake.refused.map(({ id, name, fault }) => (
        <li
          key={id}
          role="alert"
          className="flex items-start gap-3 rounded-md border border-red bg-red-soft px-3 py-2 text-sm"
        >
          <span className="min-w-0 flex-1 break-words">{words(name, fault)}</span>
          <button
            type="button"
            aria-label={t("files.dismiss")}
            onClick={() => intake.dismiss(id)}
            className="p-0.5 hover:text-red"
          >
            <X className="size-4" />
          </button>
        </li>
      ))}
    </ul>
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
