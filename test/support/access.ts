import { afterEach } from "vitest";
import { reportStress } from "../stress/report.ts";
import { call } from "./workspace.ts";

/** Counts each test of a file as an attempt to get in, and one that failed as an attempt that succeeded. */
export function reportAccessAttempts(): void {
  afterEach(({ task }) => {
    reportStress(task, { counts: { "access attempts": 1 }, leaked: task.result?.state === "fail" ? 1 : 0 });
  });
}

/** An operation that the service describes. */
export interface DescribedOperation {
  readonly method: string;
  readonly path: string;
  readonly isPublic: boolean;
  /** What lets a caller in: an API key, or the cookie of an account's session. */
  readonly isForKeys: boolean;
  readonly isForSessions: boolean;
  readonly takesJson: boolean;
}

const METHODS = ["get", "put", "post", "patch", "delete"] as const;
const ID = "01999999-9999-7999-8999-999999999999";

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          { readonly security?: readonly object[]; readonly requestBody?: { readonly content: object } }
        >
      >
    >
  >;
}

/** Every operation of the description that the worker itself serves; ids in paths exist nowhere. */
export async function describedOperations(): Promise<readonly DescribedOperation[]> {
  const document: Document = (await call("GET", "/openapi.json")).body;
  return Object.entries(document.paths).flatMap(([template, operations]) =>
    METHODS.filter((method) => operations[method] !== undefined).map((method) => {
      const security = operations[method]?.security ?? [];
      return {
        method: method.toUpperCase(),
        path: template.replace(/\{[^}]+\}/g, ID),
        isPublic: security.length === 0,
        isForKeys: security.some((scheme) => "bearerKey" in scheme),
        isForSessions: security.some((scheme) => "accountSession" in scheme),
        takesJson: "application/json" in (operations[method]?.requestBody?.content ?? {}),
      };
    }),
  );
}
