/** The value of a success. Throws the reason of a failure. */
export function unwrap<O extends Outcome>(outcome: O): Extract<O, { readonly ok: true }>["value"] {
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.value;
}

type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string };
