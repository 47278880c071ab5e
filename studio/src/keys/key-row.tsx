import type { ApiKey } from "creative-packs";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { queryClient } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { ConfirmButton } from "#ui/confirm-button.tsx";
import { Moment } from "#ui/moment.tsx";
import { tell } from "#ui/toast.ts";
import { BudgetMeters } from "./budget-meters.tsx";
import { EditKeyDialog } from "./edit-key-dialog.tsx";
import { keysQuery } from "./keys-query.ts";

const TONES = { active: "good", revoked: "bad", expired: "plain" } as const;

/** A key: what it may do and spend, when it was used, and the ways to change and to end it. */
export function KeyRow({ apiKey }: { readonly apiKey: ApiKey }) {
  const { t } = useTranslation("keys");
  const workspaceId = useWorkspaceId();
  const { apiKeyId, name, prefix, status, scopes, lastUsedAt, expiresAt, budget } = apiKey;
  const [isEditing, setIsEditing] = useState(false);
  const revoke = async () => {
    await callAccount("revokeWorkspaceApiKey", { path: { workspaceId, apiKeyId } });
    await queryClient.invalidateQueries({ queryKey: keysQuery(workspaceId).queryKey });
    tell(t("revoke.done", { name }));
  };
  return (
    <tr>
      <td>
        <div className="font-medium">{name}</div>
        <code className="text-xs text-quiet">{prefix}…</code>
      </td>
      <td>
        <Badge tone={TONES[status]}>{t(`state.${status}`)}</Badge>
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
              text={t("revoke.text")}
              question={t("revoke.question", { name })}
              consequence={t("revoke.consequence")}
              confirm={t("revoke.text")}
              onConfirm={revoke}
            />
          </div>
        )}
        {isEditing && <EditKeyDialog apiKey={apiKey} onClose={() => setIsEditing(false)} />}
      </td>
    </tr>
  );
}
