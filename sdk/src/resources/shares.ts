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

/** Links by which people without an account look at a pack, and what they say of it. */
export class SharesResource extends Resource {
  /** A link to a pack. Not sent again when its answer is lost. Scope: `deliveries:write`. */
  create(
    artifactId: string,
    share: Given<CreateShare> = {},
    options: RequestOptions = {},
  ): ApiPromise<Share> {
    return this.transport.json({ operation: "createShare", path: { artifactId }, json: share, options });
  }

  /** A pack's links, ended ones too. Scope: `artifacts:read`. */
  list(artifactId: string, options: RequestOptions = {}): ApiPromise<ShareList> {
    return this.transport.json({ operation: "listShares", path: { artifactId }, options });
  }

  /** Changes what a link's page shows; absent members stay. Scope: `deliveries:write`. */
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

  /** Ends a link. Scope: `deliveries:write`. */
  revoke(artifactId: string, shareId: string, options: RequestOptions = {}): ApiPromise<Share> {
    return this.transport.json({ operation: "revokeShare", path: { artifactId, shareId }, options });
  }

  /** Mails a link to somebody. Not sent again when its answer is lost. Scope: `deliveries:write`. */
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

  /** What visitors of a link said, oldest first. Scope: `artifacts:read`. */
  comments(artifactId: string, shareId: string, options: RequestOptions = {}): ApiPromise<ShareCommentList> {
    return this.transport.json({ operation: "listShareComments", path: { artifactId, shareId }, options });
  }

  /** Answers visitors of a link. Not sent again when its answer is lost. Scope: `deliveries:write`. */
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

  /** Resolves a comment of a link, or reopens it. Scope: `deliveries:write`. */
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

  /** The pack as whoever has the link sees it. `token` is the last part of the link; no key is sent. */
  visit(token: string, options: RequestOptions = {}): ApiPromise<SharedPack> {
    return this.transport.json({ operation: "getSharedPack", path: { token }, options });
  }

  /** A picture of it: a PNG with a watermark, or the delivered still of a link with `isClean`. No key is sent. */
  picture(token: string, fileId: string, options: RequestOptions = {}): ApiPromise<Uint8Array<ArrayBuffer>> {
    const path = { token, fileId };
    return this.transport.bytes({ operation: "getSharedFile", path, accept: "image/*", options });
  }

  /** The logo of the pack's brand. No key is sent. */
  logo(token: string, options: RequestOptions = {}): ApiPromise<Uint8Array<ArrayBuffer>> {
    return this.transport.bytes({ operation: "getSharedLogo", path: { token }, accept: "image/*", options });
  }

  /** Says something as a visitor. Not sent again when its answer is lost; no key is sent. */
  comment(
    token: string,
    comment: Given<CreateShareComment>,
    options: RequestOptions = {},
  ): ApiPromise<OwnShareComment> {
    return this.transport.json({ operation: "createShareComment", path: { token }, json: comment, options });
  }

  /** Resolves a visitor's own comment, or reopens it, by the token that came with it. No key is sent. */
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
