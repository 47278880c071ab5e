import { LIMITS } from "creative-packs-service/limits";
import Eye from "lucide-react/icons/eye";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { TextField } from "#ui/text-field.tsx";

/** A password to be chosen, with its rule. */
export function NewPasswordField({ label, name }: { readonly label: string; readonly name: string }) {
  const { t } = useTranslation("session");
  const [isShown, setIsShown] = useState(false);
  return (
    <TextField
      label={label}
      name={name}
      type={isShown ? "text" : "password"}
      aside={
        <button
          type="button"
          aria-pressed={isShown}
          onClick={() => setIsShown(!isShown)}
          className="flex min-h-6 items-center gap-1.5 text-xs text-quiet hover:text-ink"
        >
          <Eye size={14} /> {t("show")}
        </button>
      }
      autoComplete="new-password"
      required
      minLength={LIMITS.passwordCharactersMin}
      maxLength={LIMITS.passwordCharactersMax}
      hint={t("signUp.passwordHint", { count: LIMITS.passwordCharactersMin })}
    />
  );
}
