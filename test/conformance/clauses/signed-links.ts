import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { signGrant } from "#domains/artifacts/download-token.ts";
import { expireArtifact } from "../support/arrange.ts";
import { expectRateLimitHeaders, send } from "../support/client.ts";
import { clientOf, finishLogoPack } from "../support/flow.ts";
import type { Harness } from "../support/harness.ts";
import { SECRETS } from "../support/service.ts";

/** Answers at a signed link's URL; the link itself comes from GET /artifacts/{artifactId}/download. */
export const signedLinks = (harness: Harness): void => {
  const { service, rich } = harness;
  /** A correctly signed link to a missing artifact. */
  const strayLink = async (): Promise<string> => {
    const token = await signGrant(
      { current: SECRETS.DOWNLOAD_SIGNING_KEY, previous: null },
      { workspaceId: randomUUID(), artifactId: randomUUID(), fileId: null, expiresAtMs: Date.now() + 60_000 },
    );
    return `/api/v1/downloads/${token}`;
  };

  describe("API §4.38 the signed URL", () => {
    it("API §4.38 200 with the headers of its window, 403 once expired, 409 once the artifact has expired", async () => {
      const { key } = rich;
      const { artifactId } = await finishLogoPack(service, key);
      const { url } = await clientOf(service, key).artifacts.getDownload(artifactId);
      const { pathname } = new URL(url);
      const found = await send(service, "GET", pathname);
      expect(found.status).toBe(200);
      expectRateLimitHeaders(found);
      const stale = await signGrant(
        { current: SECRETS.DOWNLOAD_SIGNING_KEY, previous: null },
        { workspaceId: rich.workspaceId, artifactId, fileId: null, expiresAtMs: Date.now() - 1 },
      );
      const refused = await send(service, "GET", `/api/v1/downloads/${stale}`);
      expect([refused.status, refused.body.error.code]).toEqual([403, "LINK_INVALID"]);
      await expireArtifact(service, artifactId);
      expect((await send(service, "GET", pathname)).status).toBe(409);
    });

    it("API §1.3 404 for a missing artifact", async () => {
      expect((await send(service, "GET", await strayLink())).status).toBe(404);
    });

    it("API §8.4 429 when the artifact's window is full", async () => {
      const link = await strayLink();
      const answers = [];
      for (let request = 0; request < 3; request += 1) answers.push(await send(harness.tight, "GET", link));
      const refused = answers.find((answer) => answer.status === 429);
      expect(refused?.headers.get("Retry-After")).toMatch(/^\d+$/);
    });

    it("API §7.4 500 on a broken database, 501 without database or storage; neither reveals the link", async () => {
      const link = await strayLink();
      const statuses = [];
      for (const service of [harness.broken, harness.bare, harness.withoutStorage, harness.withoutDelivery]) {
        statuses.push((await send(service, "GET", link)).status);
        expect(service.logs()).not.toContain(link.slice(-40));
      }
      expect(statuses).toEqual([500, 501, 501, 501]);
    });
  });
};
