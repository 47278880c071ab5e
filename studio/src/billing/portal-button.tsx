import { callAccount } from "#api/account.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { Button } from "#ui/button.tsx";
import { BillingFault } from "./billing-fault.tsx";
import { useLeave } from "./use-checkout.ts";

/** Goes to the payment provider's own page, where cards, invoices and the plan are. */
export function PortalButton({ text }: { readonly text: string }) {
  const workspaceId = useWorkspaceId();
  const { leave, isLeaving } = useLeave(() => callAccount("openBillingPortal", { path: { workspaceId } }));
  return (
    <div className="flex flex-col items-start gap-2">
      <Button isBusy={isLeaving} onClick={() => leave.mutate()}>
        {text}
      </Button>
      <BillingFault error={leave.error} />
    </div>
  );
}
