import { useTranslation } from "react-i18next";
import { useWorkspaceId } from "#app/workspace.ts";
import { Card } from "#ui/card.tsx";
import { CopyButton } from "#ui/copy-button.tsx";

/** Where nothing is sold: whom to ask, and what to name to them. */
export function NotSold() {
  const { t } = useTranslation("billing");
  const workspaceId = useWorkspaceId();
  return (
    <Card title={t("off.title")}>
      <p className="max-w-2xl text-sm">{t("off.text")}</p>
      <div className="flex flex-wrap items-center gap-2">
        <code className="rounded-md bg-sunk px-3 py-2 font-mono text-xs break-all">{workspaceId}</code>
        <CopyButton text={workspaceId} />
      </div>
    </Card>
  );
}
