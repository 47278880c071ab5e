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

/** Email address of the invitation; null for none. */
type Invitee = { readonly email: string; readonly language: Language } | null;

/** Creates an invitation. */
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

/** Members in order of joining, and open invitations. */
export const membersQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "members"],
    queryFn: ({ signal }) => callAccount("listMembers", { path: { workspaceId }, signal }),
  });

/** The code is in the fragment, which browsers do not send. */
const linkOf = (code: string): string => `${location.origin}/invitation#${code}`;

/** Creates an invitation, emails it if an address is given, and shows its link once. */
export function InviteButton() {
  const { t } = useTranslation("people");
  const [isOpen, setIsOpen] = useState(false);
  /** Incremented when the dialog opens or closes, so that a pending request of an earlier opening is ignored. */
  const turn = useRef(0);
  const invite = useInvite();
  const open = async () => {
    turn.current += 1;
    const mine = turn.current;
    setIsOpen(true);
    // Ignore the error, since the dialog shows it.
    const service = await queryClient.ensureQueryData(serviceQuery).catch(() => null);
    // Without mail, no address is needed, so create the invitation at once.
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

/** Form for the recipient's address. Without an address, only a link is created. */
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
