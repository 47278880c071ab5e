import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Form, textOf } from "#ui/form.tsx";
import { TextField } from "#ui/text-field.tsx";
import { refreshDestinations } from "./destinations-queries.ts";

/** Creates an S3 store from its endpoint and keys. */
export function CreateStoreDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation("destinations");
  const workspaceId = useWorkspaceId();
  const create = useMutation({
    mutationFn: (form: FormData) => {
      const prefix = textOf(form, "prefix");
      return callAccount("saveWorkspaceDestination", {
        path: { workspaceId },
        json: {
          kind: "s3",
          endpoint: textOf(form, "endpoint"),
          region: textOf(form, "region"),
          bucket: textOf(form, "bucket"),
          accessKeyId: textOf(form, "accessKeyId"),
          secretAccessKey: textOf(form, "secretAccessKey"),
          ...(prefix === "" ? {} : { prefix }),
        },
      });
    },
    onSuccess: async () => {
      await refreshDestinations(workspaceId);
      onClose();
    },
  });
  return (
    <Dialog title={t("store.title")} isOpen onClose={onClose}>
      <Form sending={create} submit={t("store.submit")}>
        <p className="text-sm text-quiet">{t("store.lead")}</p>
        <TextField
          label={t("store.endpoint")}
          hint={t("store.endpointHint")}
          name="endpoint"
          type="url"
          required
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField label={t("store.region")} name="region" defaultValue="auto" required />
          <TextField label={t("store.bucket")} name="bucket" required />
        </div>
        <TextField label={t("store.prefix")} hint={t("store.prefixHint")} name="prefix" />
        <TextField label={t("store.accessKeyId")} name="accessKeyId" autoComplete="off" required />
        <TextField
          label={t("store.secretAccessKey")}
          hint={t("store.secretHint")}
          name="secretAccessKey"
          type="password"
          autoComplete="off"
          required
        />
      </Form>
    </Dialog>
  );
}
