import { queryOptions } from "@tanstack/react-query";
import type { ShareComment } from "creative-packs";
import { useState } from "react";
import { openClient } from "#api/client.ts";
import { queryClient } from "#api/queries.ts";
import type { Reviewer, Verdict } from "./review.ts";

/** Storage keys of a visitor's name, which is entered once, and of their own comments, which they can resolve. */
const NAME = "creative-packs.visitor";
const OWN = "creative-packs.own-comments";
const OWN_MAX = 200;

type Tokens = readonly (readonly [commentId: string, commentToken: string])[];

const readTokens = (): Tokens => JSON.parse(localStorage.getItem(OWN) ?? "[]");

/** The pack as a visitor with the link sees it. */
export const sharedPackQuery = (token: string) =>
  queryOptions({
    queryKey: ["shared", token],
    queryFn: ({ signal }) => openClient.shares.visit(token, { signal }),
  });

/** The visitor of a share link. No account is needed to comment. */
export function useVisitor(token: string) {
  const [name, setName] = useState(() => localStorage.getItem(NAME) ?? "");
  const refresh = () => queryClient.invalidateQueries({ queryKey: sharedPackQuery(token).queryKey });
  const rename = (given: string) => {
    localStorage.setItem(NAME, given);
    setName(given);
  };
  const send = async (comment: Parameters<typeof openClient.shares.comment>[1]) => {
    const { commentId, commentToken } = await openClient.shares.comment(token, comment);
    localStorage.setItem(OWN, JSON.stringify([...readTokens(), [commentId, commentToken]].slice(-OWN_MAX)));
    rename(comment.name);
    await refresh();
  };
  const tokenOf = ({ commentId }: ShareComment) => readTokens().find(([id]) => id === commentId)?.[1];
  return {
    visitor: { name, rename },
    say: (by, text, { fileId, pin }) =>
      send({ name: by, text, ...(fileId !== null && { fileId }), ...(pin !== null && { pin }) }),
    reply: (by, text, replyTo) => send({ name: by, text, replyTo }),
    judge: (by: string, text: string, verdict: Verdict, marks: Readonly<Record<string, Verdict>>) =>
      send({
        name: by,
        verdict,
        ...(text !== "" && { text }),
        fileVerdicts: Object.entries(marks).map(([fileId, one]) => ({ fileId, verdict: one })),
      }),
    mayResolve: (comment) => tokenOf(comment) !== undefined,
    resolve: async (comment) => {
      const own = { commentId: comment.commentId, commentToken: tokenOf(comment) ?? "" };
      await openClient.shares.resolveOwn(token, own, comment.resolvedAt === null);
      await refresh();
    },
  } satisfies Reviewer & { readonly judge: unknown };
}
