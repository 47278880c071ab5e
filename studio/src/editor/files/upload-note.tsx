import { ApiError } from "creative-packs";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { Button } from "#ui/button.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { Progress } from "#ui/progress.tsx";
import { LostFileError } from "../draft/file-bytes.ts";
import { sentShares, type UploadState } from "./uploads.ts";

interface UploadNoteProps {
  readonly upload: UploadState;
  readonly name: string;
}

/** Where the upload of a file is, while there is something to tell. */
export function UploadNote({ upload, name }: UploadNoteProps) {
  const { t } = useTranslation("editor");
  if (upload.status === "ready") return null;
  if (upload.status === "sending") return <Sending uploadKey={upload.key} name={name} />;
  if (upload.status === "offline")
    return (
      <p role="status" className="text-xs text-amber">
        {t("files.offline")}
      </p>
    );
  return <Failed error={upload.error} retry={upload.retry} />;
}

function Sending({ uploadKey, name }: { readonly uploadKey: string; readonly name: string }) {
  const { t } = useTranslation("editor");
  const share = useStore(sentShares, (shares) => shares[uploadKey] ?? 0);
  return (
    <div className="flex flex-col gap-1">
      <Progress label={t("files.sendingLabel", { name })} share={share} />
      <p className="text-xs text-quiet tabular-nums">
        {t("files.sending", { percent: Math.round(100 * share) })}
      </p>
    </div>
  );
}

/** A file that the service looked at and does not take is not sent again as it is. */
function Failed({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  const { t } = useTranslation("editor");
  const { t: common } = useTranslation();
  const rejection = error instanceof ApiError ? error.details.rejection : undefined;
  const isLost = error instanceof LostFileError;
  const text =
    rejection === undefined
      ? undefined
      : t(`rejection.${rejection.code}` as never, { defaultValue: rejection.message });
  return (
    <div className="flex flex-col items-start gap-1.5">
      <ErrorNote error={error}>{isLost ? t("files.lost") : text}</ErrorNote>
      {rejection === undefined && !isLost && <Button onClick={retry}>{common("retry")}</Button>}
    </div>
  );
}
