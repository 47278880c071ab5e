import type { ApiPromise } from "../api-promise.ts";
import type { RequestOptions } from "../options.ts";
import { Resource } from "../transport.ts";
import type { CreatePreview, Given, Preview, PreviewQuota } from "../types.ts";

/** Free, protected pictures of a pack's first size. */
export class PreviewsResource extends Resource {
  /** Draws the first size of a pack. Takes one of the allowance, unless it was drawn before. Scope: `previews:write`. */
  create(request: Given<CreatePreview>, options: RequestOptions = {}): ApiPromise<Preview> {
    return this.transport.json({ operation: "createPreview", json: request, options });
  }

  /** What is left of the allowance. Scope: `previews:read`. */
  quota(options: RequestOptions = {}): ApiPromise<PreviewQuota> {
    return this.transport.json({ operation: "getPreviewQuota", options });
  }
}
