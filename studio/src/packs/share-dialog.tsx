import { useMutation, useQuery } from "@tanstack/react-query";
import type { Artifact } from "creative-packs";
import { LIMITS } from "creative-packs-service/limits";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { clientOf } from "#api/client.ts";
import { queryClient } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { Button } from "#ui/button.tsx";
import { Checkbox } from "#ui/checkbox.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { ErrorNote, sendFields, textOf } from "#ui/form.tsx";
import { TextArea, TextField } from "#ui/text-field.tsx";
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
  const [message, setMessage] = useState("");
  const [isClean, setIsClean] = useState(false);
  const make = useMutation({
    mutationFn: (form: FormData) => {
      const [name, due] = [textOf(form, "name").trim(), textOf(form, "due")];
      return clientOf(workspaceId).shares.create(artifactId, {
        ...{ message: message.trim(), isClean },
        ...(name !== "" && { name }),
        // The end of that day in the sender's time zone.
        ...(due !== "" && { dueAt: new Date(`${due}T23:59:59`).toISOString() }),
      });
    },
    onSuccess: () => {
      setMessage("");
      return queryClient.invalidateQueries({ queryKey: sharesQuery(workspaceId, artifactId).queryKey });
    },
  });
  return (
    <Dialog title={t("share.title")} isOpen onClose={onClose} width="wide">
      <div className="flex flex-col gap-5">
        <p className="text-sm text-quiet">{t("share.lead")}</p>
        <form onSubmit={sendFields(make)} className="flex flex-col gap-4">
          <div className="grid gap-4 sm:grid-cols-[1fr_12rem]">
            <TextField
              label={t("share.name")}
              hint={t("share.nameHint")}
              name="name"
              maxLength={LIMITS.shareNameCharactersMax}
            />
            <TextField label={t("share.due")} name="due" type="date" />
          </div>
          <TextArea
            label={t("share.message")}
            value={message}
            onChange={setMessage}
            maxLength={LIMITS.commentCharactersMax}
          />
          <div className="flex flex-wrap items-center justify-between gap-3">
            <Checkbox isChecked={isClean} onChange={setIsClean}>
              {t("share.clean")}
            </Checkbox>
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
