import type { Route } from "#interface/http/route.ts";
import {
  createShareRoute,
  listShareCommentsRoute,
  listSharesRoute,
  mailShareRoute,
  revokeShareRoute,
} from "../shares/shares.ts";
import { createShareCommentRoute, getSharedFileRoute, getSharedPackRoute } from "../shares/visits.ts";

export const routes: readonly Route[] = [
  ...[createShareRoute, listSharesRoute, revokeShareRoute, mailShareRoute, listShareCommentsRoute],
  ...[getSharedPackRoute, getSharedFileRoute, createShareCommentRoute],
];
