import { ApiError } from "creative-packs";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/button.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { AssetsGone } from "./assets-gone.tsx";
import { Misfits } from "./misfits.tsx";
import { outcomeOf } from "./order-outcome.ts";

interface OrderFaultProps {
  /** Of the order, or of the question what it would be; null for none. */
  readonly error: unknown;
  readonly isOrder: boolean;

  /** Called when the person has done something about it. */
  readonly onSolved: () => void;
}

const UNAUTHORIZED = 401;
const ASSET_CODES = ["ASSET_UNKNOWN", "ASSET_NOT_FOUND"];

/** Why an order is refused, and the ways on. */
export function OrderFault({ error, isOrder, onSolved }: OrderFaultProps) {
  const { t } = useTranslation("editor");
  if (error === null || error === undefined) return null;
  const isRefused = isOrder && outcomeOf(error) === "refused";
  if (!(error instanceof ApiError)) return <ErrorNote error={error} />;
  if (error.status === UNAUTHORIZED)
    return isOrder ? <ErrorNote error={error}>{t("order.session")}</ErrorNote> : null;
  const { details, code } = error;
  if (code === "COPY_DOES_NOT_FIT" && details.misfits !== undefined)
    return <Misfits misfits={details.misfits} onSolved={onSolved} />;
  if (ASSET_CODES.includes(code)) return <AssetsGone error={error} onSolved={onSolved} />;
  return (
    <div className="flex flex-wrap items-start gap-3">
      <div className="min-w-0 flex-1">
        <ErrorNote error={error}>{wordsOf()}</ErrorNote>
        {isRefused && <p className="mt-1 text-xs text-quiet">{t("order.refused")}</p>}
      </div>
      {isOrder && <Button onClick={onSolved}>{t("files.dismiss")}</Button>}
    </div>
  );

  function wordsOf(): string | undefined {
    if (code === "PAYMENT_REQUIRED" && details.required !== undefined)
      return t("order.short", { available: details.available ?? 0, required: details.required });
    if (code === "COPY_UNSUPPORTED" && details.characters !== undefined && details.characters.length > 0)
      return t("order.unsupported", { characters: details.characters.join(" ") });
    return undefined;
  }
}
