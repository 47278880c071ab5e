import { useMutation } from "@tanstack/react-query";
import type { ApiKey } from "creative-packs";
import { LIMITS } from "creative-packs-service/limits";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { pagedQuery } from "#api/paged-query.ts";
import { queryClient } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { ConfirmButton } from "#ui/confirm-button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Form, textOf } from "#ui/form.tsx";
import { Moment } from "#ui/moment.tsx";
import { TextField } from "#ui/text-field.tsx";
import { showToast } from "#ui/toast.ts";
import { BudgetFields, BudgetMeters, budgetOf } from "./budget-fields.tsx";

/** The workspace's keys, newest first, paginated. */
export const keysQuery = (workspaceId: string) =>
  pagedQuery(["workspace", workspaceId, "keys"], (query, signal) =>
    callAccount("listWorkspaceApiKeys", { path: { workspaceId }, query, signal }),
  );

const TONES = { active: "good", revoked: "bad", expired: "plain" } as const;

/** A key: permissions, budget, last use, and its actions. */
export function KeyRow({ apiKey }: { readonly apiKey: ApiKey }) {
  const { t } = useTranslation("keys");
  const workspaceId = useWorkspaceId();
  const { apiKeyId, name, prefix, livemode, status, scopes, lastUsedAt, expiresAt, budget, agent } = apiKey;
  const [isEditing, setIsEditing] = useState(false);
  const revoke = async () => {
    await callAccount("revokeWorkspaceApiKey", { path: { workspaceId, apiKeyId } });
    await queryClient.invalidateQueries({ queryKey: keysQuery(workspaceId).queryKey });
    showToast(t(agent === null ? "revoke.done" : "agent.done", { name }));
  };
  return (
    <tr>
      <td>
        <div className="font-medium">{name}</div>
        {agent === null ? (
          <code className="text-xs text-quiet">{prefix}…</code>
        ) : (
          <div className="text-xs text-quiet">
            {t("agent.badge")} ·{" "}
            {t(agent.isVerified ? "agent.host" : "agent.unverified", { host: agent.host })}
          </div>
        )}
      </td>
      <td>
        <Badge tone={TONES[status]}>{t(`state.${status}`)}</Badge>
        {!livemode && <Badge>{t("test")}</Badge>}
      </td>
      <td className="min-w-56 max-w-72 text-xs text-quiet">
        {scopes.map((scope) => t(`scope.${scope}`)).join(", ")}
      </td>
      <td>
        <BudgetMeters budget={budget} />
      </td>
      <td>{lastUsedAt === null ? t("never") : <Moment at={lastUsedAt} />}</td>
      <td>{expiresAt === null ? t("never") : <Moment at={expiresAt} hasTime={false} />}</td>
      <td>
        {status === "active" && (
          <div className="flex gap-1">
            <Button kind="quiet" aria-label={t("edit.textOf", { name })} onClick={() => setIsEditing(true)}>
              {t("edit.text")}
            </Button>
            <ConfirmButton
              text={t(agent === null ? "revoke.text" : "agent.disconnect")}
              question={t(agent === null ? "revoke.question" : "agent.question", { name })}
              consequence={t(agent === null ? "revoke.consequence" : "agent.consequence")}
              onConfirm={revoke}
            />
          </div>
        )}
        {isEditing && <EditKeyDialog apiKey={apiKey} onClose={() => setIsEditing(false)} />}
      </td>
    </tr>
  );
}

/** Dialog that changes a key's name and budget. */
function EditKeyDialog({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const { t } = useTranslation("keys");
  const workspaceId = useWorkspaceId();
  const { apiKeyId, name, budget } = apiKey;
  const makesKeys = apiKey.scopes.includes("api-keys:write");
  const hasNoBudget = makesKeys || !apiKey.livemode;
  const save = useMutation({
    mutationFn: (form: FormData) =>
      callAccount("updateWorkspaceApiKey", {
        path: { workspaceId, apiKeyId },
        json: { name: textOf(form, "name"), budget: hasNoBudget ? null : budgetOf(form) },
      }),
    onSuccess: async (saved) => {
      await queryClient.invalidateQueries({ queryKey: keysQuery(workspaceId).queryKey });
      showToast(t("edit.done", { name: saved.name }));
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
        {hasNoBudget ? (
          <p className="text-sm">{t(apiKey.livemode ? "budget.makesKeys" : "budget.test")}</p>
        ) : (
          <BudgetFields budget={budget} />
        )}
      </Form>
    </Dialog>
  );
}
