import { useMutation, useQuery } from "@tanstack/react-query";
import { LIMITS } from "creative-packs-service/limits";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { queryClient, workspacesQuery } from "#api/queries.ts";
import { useIsOwner, useWorkspaceId } from "#app/workspace.ts";
import { Form, textOf } from "#ui/form.tsx";
import { Card } from "#ui/page.tsx";
import { TextField } from "#ui/text-field.tsx";
import { tell } from "#ui/toast.ts";

/** The open workspace's name, which an owner changes. */
export function WorkspaceName() {
  const { t } = useTranslation("settings");
  const workspaceId = useWorkspaceId();
  const isOwner = useIsOwner();
  const { data = [] } = useQuery(workspacesQuery);
  const name = data.find((one) => one.workspaceId === workspaceId)?.name;
  const rename = useMutation({
    mutationFn: (form: FormData) =>
      callAccount("renameWorkspace", { path: { workspaceId }, json: { name: textOf(form, "name") } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: workspacesQuery.queryKey });
      tell(t("rename.done"));
    },
  });
  if (name === undefined) return null;
  return (
    <Card title={t("rename.title")}>
      {isOwner ? (
        <Form sending={rename} submit={t("rename.submit")} isMain={false}>
          <TextField
            // Drawn anew with what was saved.
            key={name}
            label={t("rename.name")}
            hint={t("rename.hint")}
            name="name"
            required
            maxLength={LIMITS.workspaceNameCharactersMax}
            defaultValue={name}
          />
        </Form>
      ) : (
        <p className="text-sm">{t("rename.now", { name })}</p>
      )}
    </Card>
  );
}
