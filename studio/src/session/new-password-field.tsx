import { LIMITS } from "creative-packs-service/limits";
import Eye from "lucide-react/icons/eye";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { TextField } from "#ui/text-field.tsx";

/** Field for a new password, which shows the minimum length. */
export function NewPasswordField({ label, name }: { readonly label: string; readonly name: string }) {
  const { t } = useTranslation("session");
  const [isShown, setIsShown] = useState(false);
  return (
    <div className="relative [&_input]:pr-24">
      <TextField
        label={label}
        name={name}
        type={isShown ? "text" : "password"}
        autoComplete="new-password"
        required
        minLength={LIMITS.passwordCharactersMin}
        maxLength={LIMITS.passwordCharactersMax}
        hint={t("signUp.passwordHint", { count: LIMITS.passwordCharactersMin })}
      />
      {/* Positioned inside the field, under the line of the label. */}
      <button
        type="button"
        aria-pressed={isShown}
        onClick={() => setIsShown(!isShown)}
        className="absolute top-7 right-1 flex h-9 items-center gap-1.5 px-2 text-xs text-quiet hover:text-ink max-sm:h-11 pointer-coarse:h-11"
      >
        <Eye size={14} /> {t("show")}
      </button>
    </div>
  );
}
