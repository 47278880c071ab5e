import type { ApiDocument } from "./document-types.ts";

/** Replaces the schema `CreateShareComment` by a comment with a verdict, or one with a text: it needs either. */
export function splitComment({ components: { schemas } }: ApiDocument): void {
  const { example, description, ...whole } = schemas.CreateShareComment ?? {};
  const { required = [], properties: { text, ...others } = {} } = whole;
  if (text === undefined) throw new Error("the document has no CreateShareComment");
  schemas.ShareVerdict = {
    ...whole,
    description: "A verdict, with or without words.",
    required: [...required, "verdict"],
  };
  schemas.ShareRemark = {
    ...whole,
    description: "A comment in words, with or without a verdict.",
    properties: { ...others, text: { ...text, minLength: 1 } },
    required: [...required, "text"],
  };
  const refs = ["ShareVerdict", "ShareRemark"].map((name) => ({ $ref: `#/components/schemas/${name}` }));
  schemas.CreateShareComment = { anyOf: refs, example, ...(description !== undefined && { description }) };
}
