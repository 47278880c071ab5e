import { describe, expect, it } from "vitest";
import { canonicalQuery, hashImage, orderOfImage, signImage } from "#domains/images/image-link.ts";
import { signImageUrl } from "../../sdk/src/image-url.ts";
import vectors from "../fixtures/image-urls.json" with { type: "json" };

const KEY = "0199f0c47b6e7c3a9b0e2f5d1c8a4e710199f0c491d27e55a1c87b3e6d2f0a94";

describe("the signature of an image URL", () => {
  it.each(vectors)(
    "of $file is the same in the service and the library",
    async ({ secret, file, parameters, exp, query, signature, hash }) => {
      const [sizeId = "", format = ""] = file.split(".");
      const signed = { ...parameters, key: KEY, ...(exp === null ? {} : { exp: String(exp) }) };
      expect(canonicalQuery(signed)).toBe(query);
      expect(await signImage(secret, file, query)).toBe(signature);
      const outputFormat = format === "jpg" || format === "webp" ? format : "png";
      const expiresAt = exp === null ? undefined : new Date(exp * 1_000);
      const given = {
        baseUrl: "https://packs.example/",
        secret,
        sizeId,
        outputFormat,
        parameters,
        expiresAt,
      } as const;
      expect(await signImageUrl(given)).toBe(`https://packs.example/i/${signature}/${file}?${query}`);
      expect(await hashImage("0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71", { file, query: signed })).toBe(hash);
    },
  );

  it("differs for texts that look alike in a query string", () => {
    const texts = [
      { headline: "a&cta=b" },
      { headline: "a", cta: "b" },
      { headline: "a=b" },
      { headline: "a%26cta=b" },
      { headline: "a+cta" },
      { headline: "a cta" },
    ].map(canonicalQuery);
    expect(new Set(texts).size).toBe(texts.length);
  });

  it("cannot be made with an invalid secret", async () => {
    const image = { baseUrl: "https://packs.example", sizeId: "iab-320x50", parameters: {} };
    await expect(signImageUrl({ ...image, secret: "cpk_live_x" })).rejects.toThrow("cps_");
  });
});

describe("the order of an image", () => {
  it("uses the first campaign that has the size, or the named contract", () => {
    const contractOf = (contractId?: string) => {
      const order = orderOfImage("iab-300x250", "png", { headline: "Hi", ...(contractId && { contractId }) });
      return order.ok ? order.value.contractId : order.code;
    };
    expect([contractOf(), contractOf("display.v3")]).toEqual(["campaign.v1", "display.v3"]);
  });
});
