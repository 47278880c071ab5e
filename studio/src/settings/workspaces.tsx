import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { LIMITS } from "creative-packs-service/limits";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { queryClient, workspacesQuery } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { Form, textOf } from "#ui/form.tsx";
import { Card } from "#ui/page.tsx";
import { TextField } from "#ui/text-field.tsx";

/** The user's workspaces, and a form for a new one. */
export function Workspaces() {
  const { t } = useTranslation("settings");
  const navigate = useNavigate();
  const open = useWorkspaceId();
  const { data = [] } = useQuery(workspacesQuery);
  // A retry after a lost response uses the same key, so only one is created.
  const asked = useRef<{ readonly name: string; readonly idempotencyKey: string } | null>(null);
  const create = useMutation({
    mutationFn: (form: FormData) => {
      const name = textOf(form, "name");
      if (asked.current?.name !== name) asked.current = { name, idempotencyKey: crypto.randomUUID() };
      const { idempotencyKey } = asked.current;
      return callAccount("createWorkspace", { json: { name }, idempotencyKey });
    },
    onSuccess: async ({ workspaceId }) => {
      await queryClient.invalidateQueries({ queryKey: workspacesQuery.queryKey });
      await navigate({ to: "/w/$workspaceId/create", params: { workspaceId } });
    },
  });
  return (
    <Card title={t("workspace.title")}>
      <ul className="divide-y divide-line">
        {data.map(({ workspaceId, name }) => (
          <li key={workspaceId} className="flex items-center justify-between gap-3 py-2 text-sm">
            <span>{name}</span>
            {workspaceId === open ? (
              <span className="text-quiet">{t("workspace.isOpen")}</span>
            ) : (
              <Link
                to="/w/$workspaceId/packs"
                params={{ workspaceId }}
                className="text-accent underline underline-offset-2"
                aria-label={`${t("workspace.open")}: ${name}`}
              >
                {t("workspace.open")}
              </Link>
            )}
          </li>
        ))}
      </ul>
      <Form sending={create} submit={t("workspace.submit")} isMain={false}>
        <TextField
          label={t("workspace.name")}
          hint={t("workspace.hint")}
          name="name"
          required
          maxLength={LIMITS.workspaceNameCharactersMax}
        />
      </Form>
    </Card>
  );
}
