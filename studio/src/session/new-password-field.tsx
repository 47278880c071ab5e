import { LIMITS } from "creative-packs-service/limits";
import { useTranslation } from "react-i18next";
import { TextField } from "#ui/text-field.tsx";

/** A password to be chosen, with its rule. */
export function NewPasswordField({ label, name }: { readonly label: string; readonly name: string }) {
  const { t } = useTranslation("session");
  return (
    <TextField
      label={label}
      name={name}
      type="password"
      autoComplete="new-password"
      required
      minLength={LIMITS.passwordCharactersMin}
      maxLength={LIMITS.passwordCharactersMax}
      hint={t("signUp.passwordHint", { count: LIMITS.passwordCharactersMin })}
    />
  );
}
