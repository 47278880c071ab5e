/** Why an SVG is refused. The codes are those of `inspect`. */
export interface SvgRefusal {
  readonly ok: false;
  readonly code:
    | "NOT_WHAT_IT_CLAIMS"
    | "TRUNCATED"
    | "UNSUPPORTED"
    | "TOO_LARGE"
    | "FORBIDDEN_CONTENT"
    | "EMPTY";
  readonly message: string;
}

export function refuse(code: SvgRefusal["code"], message: string): SvgRefusal {
  return { ok: false, code, message };
}
