import { useTranslation } from "react-i18next";
import { queryClient } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { Button } from "#ui/button.tsx";
import { ErrorNote } from "#ui/error-note.tsx";

interface AssetsGoneProps {
  readonly error: unknown;
  readonly onSolved: () => void;
}

/** An asset was deleted while the draft stood: the browser has its bytes, and sends them again. */
export function AssetsGone({ error, onSolved }: AssetsGoneProps) {
  const { t } = useTranslation("editor");
  const { t: common } = useTranslation();
  const workspaceId = useWorkspaceId();
  const sendAgain = async (): Promise<void> => {
    await queryClient.resetQueries({ queryKey: ["upload", workspaceId] });
    onSolved();
  };
  return (
    <div className="flex flex-wrap items-center gap-3">
      <div className="min-w-0 flex-1">
        <ErrorNote error={error}>{t("order.assets")}</ErrorNote>
      </div>
      <Button onClick={() => void sendAgain()}>{common("retry")}</Button>
    </div>
  );
}
