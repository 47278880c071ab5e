import { useTranslation } from "react-i18next";
import { Button } from "./button.tsx";

interface MoreButtonProps {
  /** An infinite query, or what of one this needs. */
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
  };
}

/** Under a list that goes on. */
export function MoreButton({ query }: MoreButtonProps) {
  const { t } = useTranslation();
  if (!query.hasNextPage) return null;
  return (
    <div className="flex justify-center">
      <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {t("more")}
      </Button>
    </div>
  );
}
