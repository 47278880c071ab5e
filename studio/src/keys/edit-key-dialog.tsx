import { useMutation } from "@tanstack/react-query";
import type { ApiKey } from "creative-packs";
import { LIMITS } from "creative-packs-service/limits";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { queryClient } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Form, textOf } from "#ui/form.tsx";
import { TextField } from "#ui/text-field.tsx";
import { tell } from "#ui/toast.ts";
import { BudgetFields, budgetOf } from "./budget-fields.tsx";
import { keysQuery } from "./keys-query.ts";

interface EditKeyDialogProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

/** Changes a key's name and budget; both count at once. */
export function EditKeyDialog({ apiKey, onClose }: EditKeyDialogProps) {
  const { t } = useTranslation("keys");
  const workspaceId = useWorkspaceId();
  const { apiKeyId, name, budget } = apiKey;
  const makesKeys = apiKey.scopes.includes("api-keys:write");
  const save = useMutation({
    mutationFn: (form: FormData) =>
      callAccount("updateWorkspaceApiKey", {
        path: { workspaceId, apiKeyId },
        json: { name: textOf(form, "name"), budget: makesKeys ? null : budgetOf(form) },
      }),
    onSuccess: async (saved) => {
      await queryClient.invalidateQueries({ queryKey: keysQuery(workspaceId).queryKey });
      tell(t("edit.done", { name: saved.name }));
      onClose();
    },
  });
  return (
    <Dialog title={t("edit.title", { name })} isOpen onClose={onClose}>
      <Form sending={save} submit={t("edit.submit")}>
        <TextField
          label={t("create.name")}
          name="name"
          required
          maxLength={LIMITS.keyNameCharactersMax}
          defaultValue={name}
        />
        {makesKeys ? <p className="text-sm">{t("budget.makesKeys")}</p> : <BudgetFields budget={budget} />}
      </Form>
    </Dialog>
  );
}
