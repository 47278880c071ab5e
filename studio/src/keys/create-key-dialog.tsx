import { useMutation } from "@tanstack/react-query";
import { LIMITS } from "creative-packs-service/limits";
import { SCOPES, type Scope } from "creative-packs-service/scopes";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { queryClient } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { Checkbox } from "#ui/checkbox.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Form, textOf } from "#ui/form.tsx";
import { Secret } from "#ui/secret.tsx";
import { Select } from "#ui/select.tsx";
import { TextField } from "#ui/text-field.tsx";
import { BudgetFields, budgetOf } from "./budget-fields.tsx";
import { keysQuery } from "./key-row.tsx";

/** Scopes that a program needs to make packs, preselected. */
const USUAL: readonly Scope[] = SCOPES.filter(
  (scope) => !/^(api-keys|destinations|images|audit):/.test(scope),
);
const ENDS = ["never", "30", "90", "365"] as const;
type End = (typeof ENDS)[number];
const DAY_MS = 86_400_000;

const MODES = ["live", "test"] as const;
type Mode = (typeof MODES)[number];

const endOf = (end: End): { expiresAt?: string } =>
  end === "never" ? {} : { expiresAt: new Date(Date.now() + Number(end) * DAY_MS).toISOString() };

/** Creates a key with name, scopes, budget and expiry, and shows its secret once. */
export function CreateKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation("keys");
  const workspaceId = useWorkspaceId();
  const [scopes, setScopes] = useState(USUAL);
  const [mode, setMode] = useState<Mode>("live");
  const [end, setEnd] = useState<End>("never");
  // A key that creates keys cannot have a budget, because the new keys could spend more.
  const makesKeys = scopes.includes("api-keys:write");
  const create = useMutation({
    mutationFn: (form: FormData) =>
      callAccount("createWorkspaceApiKey", {
        path: { workspaceId },
        json: {
          name: textOf(form, "name"),
          scopes: [...scopes],
          livemode: mode === "live",
          ...endOf(end),
          ...(makesKeys || mode === "test" ? {} : { budget: budgetOf(form) }),
        },
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keysQuery(workspaceId).queryKey }),
  });
  const toggle = (scope: Scope) => (isChosen: boolean) =>
    setScopes(SCOPES.filter((each) => (each === scope ? isChosen : scopes.includes(each))));
  if (create.isSuccess) {
    return (
      <Dialog title={t("made.title")} isOpen onClose={onClose}>
        <Secret label={t("made.label")} text={create.data.secret} note={t("made.note")} />
      </Dialog>
    );
  }
  return (
    <Dialog title={t("create.title")} isOpen onClose={onClose}>
      <Form sending={create} submit={t("create.submit")} isDisabled={scopes.length === 0}>
        <TextField
          label={t("create.name")}
          hint={t("create.nameHint")}
          name="name"
          required
          maxLength={LIMITS.keyNameCharactersMax}
        />
        <Select
          label={t("create.mode")}
          value={mode}
          options={MODES.map((value) => ({ value, text: t(`create.modes.${value}`) }))}
          onChange={setMode}
        />
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 text-sm font-medium">{t("create.scopes")}</legend>
          {SCOPES.map((scope) => (
            <Checkbox key={scope} isChecked={scopes.includes(scope)} onChange={toggle(scope)}>
              {t(`scope.${scope}`)}
            </Checkbox>
          ))}
          {scopes.length === 0 && <p className="text-xs text-red">{t("create.noScope")}</p>}
        </fieldset>
        {mode === "test" || makesKeys ? (
          <p className="text-xs text-quiet">{t(mode === "test" ? "budget.test" : "budget.makesKeys")}</p>
        ) : (
          <BudgetFields budget={null} />
        )}
        <Select
          label={t("create.ends")}
          value={end}
          options={ENDS.map((value) => ({ value, text: t(`create.end.${value}`) }))}
          onChange={setEnd}
        />
      </Form>
    </Dialog>
  );
}
