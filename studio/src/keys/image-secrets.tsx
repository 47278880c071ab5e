import { useMutation, useQuery } from "@tanstack/react-query";
import { LIMITS } from "creative-packs-service/limits";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { queryClient } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { Button } from "#ui/button.tsx";
import { ConfirmButton } from "#ui/confirm-button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { ErrorNote, Form, textOf } from "#ui/form.tsx";
import { Moment } from "#ui/moment.tsx";
import { Secret } from "#ui/secret.tsx";
import { Table } from "#ui/table.tsx";
import { TextField } from "#ui/text-field.tsx";
import { showToast } from "#ui/toast.ts";

const secretsQuery = (workspaceId: string) => ({
  queryKey: ["workspace", workspaceId, "image-secrets"],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    callAccount("listWorkspaceImageSecrets", { path: { workspaceId }, signal }),
});

/** Signing secrets of the workspace's image URLs, for owners. */
export function ImageSecrets() {
  const { t } = useTranslation("keys");
  const workspaceId = useWorkspaceId();
  const query = secretsQuery(workspaceId);
  const secrets = useQuery(query);
  const [isCreating, setIsCreating] = useState(false);
  const revoke = async (imageSecretId: string, name: string) => {
    await callAccount("revokeWorkspaceImageSecret", { path: { workspaceId, imageSecretId } });
    await queryClient.invalidateQueries({ queryKey: query.queryKey });
    showToast(t("images.done", { name }));
  };
  const items = secrets.data?.items ?? [];
  return (
    <section className="mt-10 flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h2 className="text-lg font-semibold">{t("images.title")}</h2>
          <p className="text-sm text-quiet">{t("images.lead")}</p>
        </div>
        <Button kind="secondary" onClick={() => setIsCreating(true)}>
          {t("images.new")}
        </Button>
      </div>
      {secrets.error && <ErrorNote error={secrets.error} />}
      {secrets.isSuccess && items.length === 0 && <p className="text-sm">{t("images.empty")}</p>}
      {items.length > 0 && (
        <Table label={t("images.title")} heads={[t("images.name"), t("images.created"), t("images.action")]}>
          {items.map(({ imageSecretId, name, createdAt }) => (
            <tr key={imageSecretId}>
              <td className="font-medium">{name}</td>
              <td>
                <Moment at={createdAt} />
              </td>
              <td>
                <ConfirmButton
                  text={t("images.revoke")}
                  question={t("images.question", { name })}
                  consequence={t("images.consequence")}
                  onConfirm={() => revoke(imageSecretId, name)}
                />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {isCreating && <CreateSecretDialog onClose={() => setIsCreating(false)} />}
    </section>
  );
}

/** Creates a named secret and shows it once. */
function CreateSecretDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation("keys");
  const workspaceId = useWorkspaceId();
  const create = useMutation({
    mutationFn: (form: FormData) =>
      callAccount("createWorkspaceImageSecret", {
        path: { workspaceId },
        json: { name: textOf(form, "name") },
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: secretsQuery(workspaceId).queryKey }),
  });
  return (
    <Dialog title={t(create.isSuccess ? "images.made" : "images.new")} isOpen onClose={onClose}>
      {create.isSuccess ? (
        <Secret label={t("images.madeLabel")} text={create.data.secret} note={t("images.madeNote")} />
      ) : (
        <Form sending={create} submit={t("images.submit")}>
          <TextField
            label={t("images.name")}
            hint={t("images.nameHint")}
            name="name"
            required
            maxLength={LIMITS.keyNameCharactersMax}
          />
        </Form>
      )}
    </Dialog>
  );
}
