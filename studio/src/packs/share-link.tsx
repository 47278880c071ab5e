import { useMutation, useQuery } from "@tanstack/react-query";
import type { Artifact, Share } from "creative-packs";
import { LIMITS } from "creative-packs-service/limits";
import { Ellipsis } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { clientOf } from "#api/client.ts";
import { queryClient, serviceQuery } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { Checkbox } from "#ui/checkbox.tsx";
import { ConfirmDialog } from "#ui/confirm-button.tsx";
import { ErrorNote, textOf } from "#ui/form.tsx";
import { Menu } from "#ui/menu.tsx";
import { Moment } from "#ui/moment.tsx";
import { CopyButton } from "#ui/secret.tsx";
import { MailLanguageSelect } from "#ui/select.tsx";
import { TextArea, TextField } from "#ui/text-field.tsx";
import { showErrorToast } from "#ui/toast.ts";
import { shownLanguage } from "#words/words.ts";
import { sharesQuery } from "./pack-queries.ts";

const TONES = { open: "good", expired: "plain", revoked: "bad" } as const;

/** A share link: its URL, state and verdicts. */
export function ShareLink({ share, pack }: { readonly share: Share; readonly pack: Artifact }) {
  const { t } = useTranslation("packs");
  const workspaceId = useWorkspaceId();
  const { artifactId } = pack;
  const { shareId, name, status, url, verdict, isClean, expiresAt } = share;
  const { data: service } = useQuery(serviceQuery);
  const [isMailing, setIsMailing] = useState(false);
  const [isRevoking, setIsRevoking] = useState(false);
  const refresh = () =>
    queryClient.invalidateQueries({ queryKey: sharesQuery(workspaceId, artifactId).queryKey });
  const setClean = useMutation({
    mutationFn: (isOn: boolean) =>
      clientOf(workspaceId).shares.update(artifactId, shareId, { isClean: isOn }),
    onSuccess: refresh,
    onError: showErrorToast,
  });
  const revoke = async () => {
    await clientOf(workspaceId).shares.revoke(artifactId, shareId);
    await refresh();
  };
  return (
    <li className="flex flex-col gap-3 rounded-lg border border-line bg-card p-4 text-sm">
      <div className="flex items-start justify-between gap-2">
        <div className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{name}</span>
          <Badge tone={TONES[status]}>{t(`share.status.${status}`)}</Badge>
          {verdict !== null && (
            <Badge tone={verdict === "approved" ? "good" : "warning"}>{t(`share.verdict.${verdict}`)}</Badge>
          )}
          <span className="text-xs text-quiet">
            {t("share.until")} <Moment at={expiresAt} hasTime={false} />
          </span>
        </div>
        {url !== null && (
          <div className="-my-2 -mr-3 shrink-0">
            <Menu label={t("share.menu", { name })} text={<Ellipsis size={18} />}>
              <Menu.Item onClick={() => setIsRevoking(true)}>{t("share.revoke")}</Menu.Item>
            </Menu>
          </div>
        )}
      </div>
      {url !== null && (
        <div className="flex flex-wrap items-center gap-2 max-sm:[&>button:first-of-type]:flex-1">
          <a
            href={url}
            target="_blank"
            rel="noreferrer"
            title={url}
            className="min-w-0 flex-1 basis-48 truncate rounded-md bg-sunk px-3 py-2.5 font-mono text-xs pointer-coarse:py-3.5 hover:underline max-sm:basis-full"
          >
            {url}
          </a>
          <CopyButton kind="primary" text={url} label={t("share.copy")} />
          {service?.mail === true && !isMailing && (
            <Button aria-label={`${t("share.mail.open")}: ${name}`} onClick={() => setIsMailing(true)}>
              {t("share.mail.open")}
            </Button>
          )}
          <ConfirmDialog
            text={t("share.revoke")}
            question={t("share.question")}
            consequence={t("share.consequence")}
            onConfirm={revoke}
            isOpen={isRevoking}
            onClose={() => setIsRevoking(false)}
          />
        </div>
      )}
      {status === "open" && (
        <Checkbox
          isChecked={setClean.isPending ? setClean.variables : isClean}
          onChange={(isOn) => setClean.mutate(isOn)}
        >
          {t("share.clean")}
          <span className="block text-xs text-quiet">{t("share.cleanHint")}</span>
        </Checkbox>
      )}
      {isMailing && (
        <MailShare artifactId={artifactId} shareId={shareId} onClose={() => setIsMailing(false)} />
      )}
    </li>
  );
}

interface MailShareProps {
  readonly artifactId: string;
  readonly shareId: string;
  readonly onClose: () => void;
}

/** Emails a share link with a message. */
function MailShare({ artifactId, shareId, onClose }: MailShareProps) {
  const { t } = useTranslation("packs");
  const workspaceId = useWorkspaceId();
  const [language, setLanguage] = useState(shownLanguage);
  const [message, setMessage] = useState("");
  const send = useMutation({
    mutationFn: async (email: string) => {
      const text = message.trim();
      await clientOf(workspaceId).shares.mail(artifactId, shareId, {
        email,
        language,
        ...(text === "" ? {} : { message: text }),
      });
      return email;
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    send.mutate(textOf(new FormData(event.currentTarget), "email").trim());
  };
  if (send.isSuccess) {
    return (
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status">{t("share.mail.sent", { email: send.data })}</p>
        <Button onClick={send.reset}>{t("share.mail.another")}</Button>
      </div>
    );
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3 rounded-md bg-sunk p-3.5">
      <div className="grid gap-3 sm:grid-cols-[1fr_auto]">
        <TextField label={t("share.mail.email")} name="email" type="email" autoComplete="off" required />
        <MailLanguageSelect value={language} onChange={setLanguage} />
      </div>
      <TextArea
        label={t("share.mail.message")}
        value={message}
        onChange={setMessage}
        maxLength={LIMITS.commentCharactersMax}
      />
      <ErrorNote error={send.error} />
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" type="submit" isBusy={send.isPending}>
          {t("share.mail.submit")}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          {t("share.mail.cancel")}
        </Button>
      </div>
    </form>
  );
}
