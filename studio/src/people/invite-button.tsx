import { queryOptions, useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { KnownService } from "#api/known-service.tsx";
import { queryClient, serviceQuery } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { ErrorNote, Form, textOf } from "#ui/form.tsx";
import { Loading } from "#ui/page.tsx";
import { Secret } from "#ui/secret.tsx";
import { MailLanguageSelect } from "#ui/select.tsx";
import { TextField } from "#ui/text-field.tsx";
import { type Language, shownLanguage } from "#words/words.ts";

/** Whom the mail of an invitation goes to; null for none. */
type Invitee = { readonly email: string; readonly language: Language } | null;

/** Makes an invitation. */
function useInvite() {
  const workspaceId = useWorkspaceId();
  return useMutation({
    mutationFn: (invitee: Invitee) =>
      callAccount("createInvitation", {
        path: { workspaceId },
        ...(invitee === null ? {} : { json: invitee }),
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: membersQuery(workspaceId).queryKey }),
  });
}
type Invite = ReturnType<typeof useInvite>;

/** Members, first comers first, and open invitations. */
export const membersQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "members"],
    queryFn: ({ signal }) => callAccount("listMembers", { path: { workspaceId }, signal }),
  });

/** The code is in the fragment, which browsers send to no server. */
const linkOf = (code: string): string => `${location.origin}/invitation#${code}`;

/** Makes an invitation, sends it by mail where an address is given, and shows its link once. */
export function InviteButton() {
  const { t } = useTranslation("people");
  const [isOpen, setIsOpen] = useState(false);
  /** Grows with each opening and closing, so that what an earlier opening waited for makes nothing. */
  const turn = useRef(0);
  const invite = useInvite();
  const open = async () => {
    turn.current += 1;
    const mine = turn.current;
    setIsOpen(true);
    // The window shows what went wrong.
    const service = await queryClient.ensureQueryData(serviceQuery).catch(() => null);
    // Nothing is to be filled in where no mail is sent.
    if (turn.current === mine && service?.mail === false) invite.mutate(null);
  };
  const close = (): void => {
    turn.current += 1;
    setIsOpen(false);
    invite.reset();
  };
  return (
    <>
      <Button kind="primary" onClick={() => void open()}>
        {t("invite.text")}
      </Button>
      <Dialog title={t("invite.title")} isOpen={isOpen} onClose={close}>
        <KnownService>
          {({ mail }) => {
            if (invite.isSuccess) return <Made invite={invite} />;
            if (mail) return <InviteForm invite={invite} />;
            return invite.isError ? <ErrorNote error={invite.error} /> : <Loading />;
          }}
        </KnownService>
      </Dialog>
    </>
  );
}

function Made({ invite }: { readonly invite: Invite }) {
  const { t } = useTranslation("people");
  const { data, variables } = invite;
  if (data === undefined) return null;
  const email = variables?.email;
  return (
    <div className="flex flex-col gap-4">
      {email !== undefined && (
        <p role="status" className="text-sm">
          {t("invite.mailed", { email })}
        </p>
      )}
      <Secret label={t("invite.label")} text={linkOf(data.code)} note={t("invite.note")} />
    </div>
  );
}

/** Whom to write to. Without an address there is only the link. */
function InviteForm({ invite }: { readonly invite: Invite }) {
  const { t } = useTranslation("people");
  const [language, setLanguage] = useState(shownLanguage);
  const send = (form: FormData): void => {
    const email = textOf(form, "email").trim();
    invite.mutate(email === "" ? null : { email, language });
  };
  return (
    <Form sending={{ ...invite, mutate: send }} submit={t("invite.submit")}>
      <TextField
        label={t("invite.email")}
        hint={t("invite.emailHint")}
        name="email"
        type="email"
        autoComplete="off"
      />
      <MailLanguageSelect value={language} onChange={setLanguage} />
    </Form>
  );
}
