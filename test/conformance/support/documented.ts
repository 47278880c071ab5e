import { readFileSync } from "node:fs";

/** The document's own examples of successes, to be held against real ones. */

interface DocumentedContent {
  readonly schema: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: examples are compared member by member, whatever they hold.
  readonly example?: any;
}

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly operationId?: string;
            readonly responses?: Readonly<
              Record<string, { readonly content?: Readonly<Record<string, DocumentedContent>> }>
            >;
          }
        >
      >
    >
  >;
}

const document: Document = JSON.parse(readFileSync("schema/openapi.json", "utf8"));

/** What the document shows as the JSON answer of an operation with a status. */
export function documentedAnswer(operationId: string, status: number): DocumentedContent {
  const operation = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .find((declared) => declared.operationId === operationId);
  const content = operation?.responses?.[status]?.content?.["application/json"];
  if (content === undefined) throw new Error(`no documented answer of ${operationId} ${status}`);
  return content;
}
