import type { ApiPromise } from "../api-promise.ts";
import type { RequestOptions } from "../options.ts";
import { Resource } from "../transport.ts";
import type {
  CreateShare,
  CreateShareComment,
  CreateShareReply,
  Given,
  MailedShare,
  MailShare,
  OwnShareComment,
  Share,
  ShareComment,
  ShareCommentList,
  SharedPack,
  ShareList,
  UpdateShare,
} from "../types.ts";

/** Share links, which let people without an account review a pack, and the comments on them. */
export class SharesResource extends Resource {
  /** Creates a link to a pack. Not retried after a lost response. Scope: `deliveries:write`. */
  create(
    artifactId: string,
    share: Given<CreateShare> = {},
    options: RequestOptions = {},
  ): ApiPromise<Share> {
    return this.transport.json({ operation: "createShare", path: { artifactId }, json: share, options });
  }

  /** Lists a pack's links, including revoked and expired links. Scope: `artifacts:read`. */
  list(artifactId: string, options: RequestOptions = {}): ApiPromise<ShareList> {
    return this.transport.json({ operation: "listShares", path: { artifactId }, options });
  }

  /** Changes a link's review page; absent members stay as they are. Scope: `deliveries:write`. */
  update(
    artifactId: string,
    shareId: string,
    changes: Given<UpdateShare>,
    options: RequestOptions = {},
  ): ApiPromise<Share> {
    return this.transport.json({
      ...{ operation: "updateShare", path: { artifactId, shareId } },
      ...{ json: changes, options },
    });
  }

  /** Revokes a link. Scope: `deliveries:write`. */
  revoke(artifactId: string, shareId: string, options: RequestOptions = {}): ApiPromise<Share> {
    return this.transport.json({ operation: "revokeShare", path: { artifactId, shareId }, options });
  }

  /** Emails a link to an approver. Not retried after a lost response. Scope: `deliveries:write`. */
  mail(
    artifactId: string,
    shareId: string,
    mail: Given<MailShare>,
    options: RequestOptions = {},
  ): ApiPromise<MailedShare> {
    return this.transport.json({
      operation: "mailShare",
      path: { artifactId, shareId },
      json: mail,
      options,
    });
  }

  /** Lists the comments of a link, oldest first. Scope: `artifacts:read`. */
  comments(artifactId: string, shareId: string, options: RequestOptions = {}): ApiPromise<ShareCommentList> {
    return this.transport.json({ operation: "listShareComments", path: { artifactId, shareId }, options });
  }

  /** Replies to visitors of a link. Not retried after a lost response. Scope: `deliveries:write`. */
  reply(
    artifactId: string,
    shareId: string,
    reply: Given<CreateShareReply>,
    options: RequestOptions = {},
  ): ApiPromise<ShareComment> {
    return this.transport.json({
      ...{ operation: "replyToShare", path: { artifactId, shareId } },
      ...{ json: reply, options },
    });
  }

  /** Resolves or reopens a comment of a link. Scope: `deliveries:write`. */
  resolve(
    { artifactId, shareId, commentId }: Readonly<Record<"artifactId" | "shareId" | "commentId", string>>,
    isResolved: boolean,
    options: RequestOptions = {},
  ): ApiPromise<ShareComment> {
    return this.transport.json({
      ...{ operation: "resolveShareComment", path: { artifactId, shareId, commentId } },
      ...{ json: { isResolved }, options },
    });
  }

  /** The pack as visitors see it. `token` is the last part of the link; no key is sent. */
  visit(token: string, options: RequestOptions = {}): ApiPromise<SharedPack> {
    return this.transport.json({ operation: "getSharedPack", path: { token }, options });
  }

  /** An image of the pack: a watermarked PNG, or the final still of a link with `isClean`. No key is sent. */
  picture(token: string, fileId: string, options: RequestOptions = {}): ApiPromise<Uint8Array<ArrayBuffer>> {
    const path = { token, fileId };
    return this.transport.bytes({ operation: "getSharedFile", path, accept: "image/*", options });
  }

  /** The logo of the pack's brand. No key is sent. */
  logo(token: string, options: RequestOptions = {}): ApiPromise<Uint8Array<ArrayBuffer>> {
    return this.transport.bytes({ operation: "getSharedLogo", path: { token }, accept: "image/*", options });
  }

  /** Comments as a visitor. Not retried after a lost response; no key is sent. */
  comment(
    token: string,
    comment: Given<CreateShareComment>,
    options: RequestOptions = {},
  ): ApiPromise<OwnShareComment> {
    return this.transport.json({ operation: "createShareComment", path: { token }, json: comment, options });
  }

  /** Resolves or reopens a visitor's own comment, with its token. No key is sent. */
  resolveOwn(
    token: string,
    { commentId, commentToken }: Pick<OwnShareComment, "commentId" | "commentToken">,
    isResolved: boolean,
    options: RequestOptions = {},
  ): ApiPromise<ShareComment> {
    return this.transport.json({
      ...{ operation: "resolveOwnComment", path: { token, commentId } },
      ...{ json: { isResolved, commentToken }, options },
    });
  }
}
