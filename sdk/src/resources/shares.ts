import type { ApiPromise } from "../api-promise.ts";
import type { RequestOptions } from "../options.ts";
import { Resource } from "../transport.ts";
import type {
  CreateShare,
  CreateShareComment,
  Given,
  MailedShare,
  MailShare,
  Share,
  ShareComment,
  ShareCommentList,
  SharedPack,
  ShareList,
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

  /** The pack as whoever has the link sees it. `token` is the last part of the link; no key is sent. */
  visit(token: string, options: RequestOptions = {}): ApiPromise<SharedPack> {
    return this.transport.json({ operation: "getSharedPack", path: { token }, options });
  }

  /** A picture of it: a PNG with a watermark. No key is sent. */
  picture(token: string, fileId: string, options: RequestOptions = {}): ApiPromise<Uint8Array<ArrayBuffer>> {
    const headers = { Accept: "image/png", ...options.headers };
    return this.transport.bytes(
      { operation: "getSharedFile", path: { token, fileId }, options: { ...options, headers } },
      async () => null,
    );
  }

  /** Says something as a visitor. Not sent again when its answer is lost; no key is sent. */
  comment(
    token: string,
    comment: Given<CreateShareComment>,
    options: RequestOptions = {},
  ): ApiPromise<ShareComment> {
    return this.transport.json({ operation: "createShareComment", path: { token }, json: comment, options });
  }
}
