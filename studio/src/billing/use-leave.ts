import { type UseMutationResult, useMutation } from "@tanstack/react-query";
import { useEffect } from "react";

/**
 * Asks for a page of the payment provider and goes there. The button stays busy while the browser leaves; where the person
 * comes back by the browser's own button, to the page as it was, it can be pressed again.
 */
export function useLeave<Asked = void>(
  ask: (asked: Asked) => Promise<{ readonly url: string }>,
): {
  readonly leave: UseMutationResult<{ readonly url: string }, Error, Asked>;
  readonly isLeaving: boolean;
} {
  const leave = useMutation({
    mutationFn: ask,
    onSuccess: ({ url }) => location.assign(url),
  });
  const { reset } = leave;
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) reset();
    };
    window.addEventListener("pageshow", onShow);
    return () => window.removeEventListener("pageshow", onShow);
  }, [reset]);
  return { leave, isLeaving: leave.isPending || leave.isSuccess };
}
