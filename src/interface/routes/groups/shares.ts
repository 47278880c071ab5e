import type { Route } from "#interface/http/route.ts";
import {
  createShareRoute,
  listShareCommentsRoute,
  listSharesRoute,
  mailShareRoute,
  replyToShareRoute,
  resolveShareCommentRoute,
  revokeShareRoute,
  updateShareRoute,
} from "../shares/shares.ts";
import {
  createShareCommentRoute,
  getSharedFileRoute,
  getSharedLogoRoute,
  getSharedPackRoute,
  resolveOwnCommentRoute,
} from "../shares/visits.ts";

export const routes: readonly Route[] = [
  ...[createShareRoute, listSharesRoute, updateShareRoute, revokeShareRoute, mailShareRoute],
  ...[listShareCommentsRoute, replyToShareRoute, resolveShareCommentRoute],
  ...[getSharedPackRoute, getSharedFileRoute, getSharedLogoRoute],
  ...[createShareCommentRoute, resolveOwnCommentRoute],
];
