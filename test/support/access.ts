import { afterEach } from "vitest";
import { reportStress } from "../stress/report.ts";
import { call } from "./workspace.ts";

/** Reports each test of a file as an access attempt, and a failed test as a successful attempt. */
export function reportAccessAttempts(): void {
  afterEach(({ task }) => {
    reportStress(task, { counts: { "access attempts": 1 }, leaked: task.result?.state === "fail" ? 1 : 0 });
  });
}

/** An operation of the OpenAPI document. */
export interface DescribedOperation {
  readonly method: string;
  readonly path: string;
  readonly isPublic: boolean;
  /** Whether the operation accepts an API key. */
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

/** Every documented operation that the worker serves, with ids that do not exist. */
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
