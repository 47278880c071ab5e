import { useMutation, useQuery } from "@tanstack/react-query";
import { LIMITS } from "creative-packs-service/limits";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import type { Operations } from "#api/generated/account-operations.ts";
import { sessionQuery, workspacesQuery } from "#api/queries.ts";
import { AccountFrame } from "#session/account-frame.tsx";
import { buttonStyle } from "#ui/button.tsx";
import { ErrorNote, Form, textOf } from "#ui/form.tsx";
import { Select } from "#ui/select.tsx";
import { TextField } from "#ui/text-field.tsx";
import { readAgentRequest } from "./agent-request.ts";

type AgentRequest = Operations["readAgentRequest"]["data"];

/** OAuth consent page. Shows the agent and the permissions that it requests; the user chooses the workspace. */
export function ConnectPage() {
  const { t } = useTranslation("keys");
  const [query] = useState(readAgentRequest);
  const { data: session } = useQuery(sessionQuery);
  const request = useQuery({
    queryKey: ["agent-request", query],
    queryFn: ({ signal }) => callAccount("readAgentRequest", { json: { query }, signal }),
    enabled: query !== "",
    // Never refetch: the user must decide on the request that they have read.
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <AccountFrame title={t("connect.title")}>
      {query === "" && <p className="text-sm">{t("connect.noRequest")}</p>}
      <ErrorNote error={request.error} />
      {request.data !== undefined && request.data.error !== null && (
        <>
          <p className="text-sm">{t("connect.faulty", { error: request.data.error })}</p>
          <RefuseLink request={request.data} text={t("connect.back", { host: request.data.redirectHost })} />
        </>
      )}
      {request.data?.error === null && <Consent query={query} request={request.data} />}
      {session && <p className="text-xs text-quiet">{t("connect.signedIn", session.account)}</p>}
    </AccountFrame>
  );
}

interface RequestProps {
  readonly request: AgentRequest;
}

const RefuseLink = ({ request, text }: RequestProps & { readonly text: string }) => (
  <a href={request.refuseUrl} className={buttonStyle("secondary")}>
    {text}
  </a>
);

function Consent({ query, request }: RequestProps & { readonly query: string }) {
  const { t } = useTranslation("keys");
  const { data: workspaces = [] } = useQuery(workspacesQuery);
  const owned = workspaces.filter(({ role }) => role === "owner");
  const [chosenId, setChosenId] = useState<string | null>(null);
  const workspaceId = chosenId ?? owned[0]?.workspaceId;
  const allow = useMutation({
    mutationFn: async (form: FormData) => {
      if (workspaceId === undefined) return;
      const budget = textOf(form, "monthly").trim();
      const json = { query, monthlyBudget: budget === "" ? null : Number(budget) };
      const { redirectTo } = await callAccount("connectAgent", { path: { workspaceId }, json });
      location.assign(redirectTo);
    },
  });
  if (workspaceId === undefined) return <p className="text-sm">{t("connect.noWorkspace")}</p>;
  return (
    <Form sending={allow} submit={t("connect.allow")}>
      <Asker request={request} />
      <Select
        label={t("connect.workspace")}
        value={workspaceId}
        options={owned.map((each) => ({ value: each.workspaceId, text: each.name }))}
        onChange={setChosenId}
      />
      <div className="flex flex-col gap-1 text-sm">
        <p className="font-medium">{t("connect.scopes")}</p>
        <ul className="list-disc pl-5">
          {request.scopes.map((scope) => (
            <li key={scope}>{t(`scope.${scope}`)}</li>
          ))}
        </ul>
      </div>
      {request.scopes.includes("jobs:write") && (
        <TextField
          label={t("connect.budget")}
          hint={t("connect.costs")}
          name="monthly"
          type="number"
          inputMode="numeric"
          min={1}
          step={1}
          max={LIMITS.keyBudgetCreditsMax}
        />
      )}
      <RefuseLink request={request} text={t("connect.deny")} />
    </Form>
  );
}

/** Name of the agent, the host that verifies it, and the host that the user returns to. */
function Asker({ request: { name, host, redirectHost } }: RequestProps) {
  const { t } = useTranslation("keys");
  return (
    <div className="flex flex-col gap-1 rounded-md border border-line p-3.5 text-sm">
      <p className="text-base font-medium break-words">{name}</p>
      <p className="break-all">{host === null ? t("connect.unverified") : t("connect.verified", { host })}</p>
      <p className="break-all">{t("connect.redirect", { host: redirectHost })}</p>
      {/^(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(redirectHost) && <p>{t("connect.ownMachine")}</p>}
    </div>
  );
}
