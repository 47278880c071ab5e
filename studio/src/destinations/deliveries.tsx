import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { DeliverySummary, Destination } from "creative-packs/internal";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { Moment } from "#ui/moment.tsx";
import { PagedTable } from "#ui/table.tsx";
import { showErrorToast, showToast } from "#ui/toast.ts";
import { destinationName } from "./destination-card.tsx";
import { deliveriesQuery, refreshDestinations } from "./destinations-queries.ts";

const COLUMNS = ["what", "to", "state", "when", "action"] as const;
const TONES = {
  queued: "plain",
  running: "plain",
  retrying: "warning",
  succeeded: "good",
  dead: "bad",
} as const;

/** Past and pending deliveries. */
export function Deliveries({ destinations }: { readonly destinations: readonly Destination[] }) {
  const { t } = useTranslation("destinations");
  const names = new Map(destinations.map((each) => [each.destinationId, destinationName(each)]));
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-lg font-semibold">{t("deliveries.title")}</h2>
      <PagedTable
        query={useInfiniteQuery(deliveriesQuery(useWorkspaceId()))}
        label={t("deliveries.title")}
        heads={COLUMNS.map((column) => t(`deliveries.heads.${column}`))}
        empty={<p className="text-sm text-quiet">{t("deliveries.empty")}</p>}
        row={(one) => (
          <DeliveryRow key={one.deliveryId} delivery={one} destination={names.get(one.destinationId)} />
        )}
      />
    </section>
  );
}

interface DeliveryRowProps {
  readonly delivery: DeliverySummary;
  /** The destination's name; undefined if it was removed. */
  readonly destination: string | undefined;
}

function DeliveryRow({ delivery, destination }: DeliveryRowProps) {
  const { t } = useTranslation("destinations");
  const workspaceId = useWorkspaceId();
  const { deliveryId, kind, eventType, artifactId, status, attempts, attemptsMax, failure } = delivery;
  const retry = useMutation({
    mutationFn: () => callAccount("retryWorkspaceDelivery", { path: { workspaceId, deliveryId } }),
    onSuccess: async () => {
      await refreshDestinations(workspaceId);
      showToast(t("deliveries.retried"));
    },
    onError: showErrorToast,
  });
  return (
    <tr>
      <td>
        {artifactId === null ? (
          t(`event.${eventType}`)
        ) : (
          <Link
            to="/w/$workspaceId/packs/$artifactId"
            params={{ workspaceId, artifactId }}
            className="text-accent underline underline-offset-2"
          >
            {t(`event.${eventType}`)}
          </Link>
        )}
      </td>
      <td className="max-w-64 break-all">{destination ?? t(`kind.${kind}`)}</td>
      <td>
        <Badge tone={TONES[status]}>{t(`deliveries.status.${status}`)}</Badge>
        {failure !== null && <Failure failure={failure} />}
        {attempts > 1 && (
          <p className="text-xs text-quiet">{t("deliveries.attempts", { attempts, max: attemptsMax })}</p>
        )}
      </td>
      <td>
        <Moment at={delivery.createdAt} />
        {delivery.nextAttemptAt !== null && (
          <p className="text-xs text-quiet">
            {t("deliveries.next")}: <Moment at={delivery.nextAttemptAt} />
          </p>
        )}
      </td>
      <td>
        {status === "dead" && (
          <Button kind="quiet" isBusy={retry.isPending} onClick={() => retry.mutate()}>
            {t("deliveries.retry")}
          </Button>
        )}
      </td>
    </tr>
  );
}

/** Finds the receiver's status code, and the S3 error name if any, in the API's failure text. */
const ANSWER = /\banswered (\d{3}(?: \w{1,64})?)/;

/** Says why an attempt failed, in the page's language, with the receiver's status. */
function Failure({ failure }: { readonly failure: NonNullable<DeliverySummary["failure"]> }) {
  const { t } = useTranslation("destinations");
  const { code, message } = failure;
  const answer = ANSWER.exec(message)?.[1];
  return (
    <p className="mt-1 max-w-72 text-xs text-quiet">
      {t(`deliveries.failure.${code}`, { defaultValue: message })}
      {answer !== undefined && <span className="block">{t("deliveries.answer", { answer })}</span>}
    </p>
  );
}
