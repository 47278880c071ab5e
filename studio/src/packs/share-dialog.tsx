import { useMutation, useQuery } from "@tanstack/react-query";
import type { Artifact } from "creative-packs";
import { LIMITS } from "creative-packs-service/limits";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { clientOf } from "#api/client.ts";
import { queryClient } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { ErrorNote, sendFields, textOf } from "#ui/form.tsx";
import { TextArea, TextField } from "#ui/text-field.tsx";
import { sharesQuery } from "./pack-queries.ts";
import { ShareLink } from "./share-link.tsx";

interface ShareDialogProps {
  readonly pack: Artifact;
  readonly onClose: () => void;
}

/** Creates, lists and revokes a pack's share links. */
export function ShareDialog({ pack, onClose }: ShareDialogProps) {
  const { t } = useTranslation("packs");
  const workspaceId = useWorkspaceId();
  const { artifactId } = pack;
  const { data: shares, error } = useQuery(sharesQuery(workspaceId, artifactId));
  const [message, setMessage] = useState("");
  const [isAdding, setIsAdding] = useState(false);
  const make = useMutation({
    mutationFn: (form: FormData) => {
      const [name, due] = [textOf(form, "name").trim(), textOf(form, "due")];
      return clientOf(workspaceId).shares.create(artifactId, {
        message: message.trim(),
        ...(name !== "" && { name }),
        // The end of the chosen day in the sender's time zone.
        ...(due !== "" && { dueAt: new Date(`${due}T23:59:59`).toISOString() }),
      });
    },
    onSuccess: () => {
      setMessage("");
      setIsAdding(false);
      return queryClient.invalidateQueries({ queryKey: sharesQuery(workspaceId, artifactId).queryKey });
    },
  });
  return (
    <Dialog title={t("share.title")} isOpen onClose={onClose} width="wide">
      <div className="flex flex-col gap-5">
        <p className="text-sm text-quiet">{t("share.lead")}</p>
        <ErrorNote error={make.error ?? error} />
        <ul className="flex flex-col gap-3 empty:hidden">
          {shares?.map((share) => (
            <ShareLink key={share.shareId} share={share} pack={pack} />
          ))}
        </ul>
        {shares !== undefined && shares.length > 0 && !isAdding ? (
          <div className="grid sm:flex">
            <Button onClick={() => setIsAdding(true)}>
              <Plus className="size-4" />
              {t("share.new")}
            </Button>
          </div>
        ) : (
          <form onSubmit={sendFields(make)} className="flex flex-col gap-4">
            <div className="grid gap-4 sm:grid-cols-[1fr_12rem]">
              <TextField
                label={t("share.name")}
                hint={t("share.nameHint")}
                placeholder={t("share.nameExample")}
                name="name"
                autoFocus={isAdding}
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
            <div className="grid max-sm:[&>button]:min-h-12 sm:flex sm:justify-end">
              <Button kind="primary" type="submit" isBusy={make.isPending}>
                {t("share.submit")}
              </Button>
            </div>
          </form>
        )}
      </div>
    </Dialog>
  );
}
