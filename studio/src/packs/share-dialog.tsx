import { useMutation, useQuery } from "@tanstack/react-query";
import type { Artifact } from "creative-packs";
import { LIMITS } from "creative-packs-service/limits";
import { useTranslation } from "react-i18next";
import { clientOf } from "#api/client.ts";
import { queryClient } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { ErrorNote, sendFields, textOf } from "#ui/form.tsx";
import { TextField } from "#ui/text-field.tsx";
import { sharesQuery } from "./pack-queries.ts";
import { ShareLink } from "./share-link.tsx";

interface ShareDialogProps {
  readonly pack: Artifact;
  readonly onClose: () => void;
}

/** A pack's links for approval: makes them, lists them with what was said, ends them. */
export function ShareDialog({ pack, onClose }: ShareDialogProps) {
  const { t } = useTranslation("packs");
  const workspaceId = useWorkspaceId();
  const { artifactId } = pack;
  const { data: shares, error } = useQuery(sharesQuery(workspaceId, artifactId));
  const make = useMutation({
    mutationFn: (form: FormData) => {
      const name = textOf(form, "name").trim();
      return clientOf(workspaceId).shares.create(artifactId, name === "" ? {} : { name });
    },
    onSuccess: () =>
      queryClient.invalidateQueries({ queryKey: sharesQuery(workspaceId, artifactId).queryKey }),
  });
  return (
    <Dialog title={t("share.title")} isOpen onClose={onClose} width="wide">
      <div className="flex flex-col gap-5">
        <p className="text-sm text-quiet">{t("share.lead")}</p>
        <form onSubmit={sendFields(make)} className="flex flex-wrap items-start gap-x-3 gap-y-4">
          <div className="min-w-60 flex-1">
            <TextField
              label={t("share.name")}
              hint={t("share.nameHint")}
              name="name"
              maxLength={LIMITS.shareNameCharactersMax}
            />
          </div>
          {/* Beside the field, under the height of its label. */}
          <div className="sm:mt-6">
            <Button kind="primary" type="submit" isBusy={make.isPending}>
              {t("share.submit")}
            </Button>
          </div>
        </form>
        <ErrorNote error={make.error ?? error} />
        {shares?.length === 0 && <p className="text-sm text-quiet">{t("share.none")}</p>}
        <ul className="flex flex-col gap-3">
          {shares?.map((share) => (
            <ShareLink key={share.shareId} share={share} pack={pack} />
          ))}
        </ul>
      </div>
    </Dialog>
  );
}
