/** What succeeded came to. Throws the reason of a failure: for tests that are about something else. */
export function unwrap<T>(
  outcome: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string },
): T {
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.value;
}
