import { describe, expect, it } from "vitest";
import { seedWorkspace } from "../support/arrange.ts";
import { type Answer, send } from "../support/client.ts";
import { createJob, creditsOf, endOfJob, ledgerOf, newKey, uploadLogo } from "../support/flow.ts";
import type { Harness } from "../support/harness.ts";
import { packOf } from "../support/pack.ts";

const CENTRE = { focalPoint: { x: 0.5, y: 0.5 } };
const keep = (x: number, y: number, width: number, height: number) => ({ keep: { x, y, width, height } });

/** Looks, variants, placements, prices and overrides, and the refusal of copy that does not fit. */
export const packDesign = (harness: Harness): void => {
  const { service, rich } = harness;
  const pack = packOf(harness);
  const post = async (path: string, over: object): Promise<Answer> =>
    send(service, "POST", path, {
      key: rich.key,
      json: await pack.request(over),
      idempotencyKey: newKey(),
    });

  describe("API §1.7 an impossible design is refused with an explanation, and nothing is charged", () => {
    it.each<[string, object, string, RegExp]>([
      ["variant 4", { variant: 4 }, "variant", /one of `1`, `2`, `3`/],
      ["a composition that does not exist", { composition: "full-bleed" }, "composition", /one of `auto`/],
      ["scale 3", { scale: 3 }, "scale", /one of `1`, `2`/],
      ["a look as a number", { look: 3 }, "look", /must be a text/],
      ["a price without digits", { copy: { price: "free" } }, "copy.price", /must contain a digit/],
      [
        "an old price in a size whose override removes the price",
        { copy: { price: "9 €", oldPrice: "12 €" }, overrides: { "iab-728x90": { copy: { price: "" } } } },
        "overrides.iab-728x90.copy.oldPrice",
        /needs a `price`/,
      ],
      [
        "a price of 25 characters",
        { copy: { price: "9".repeat(25) } },
        "copy.price",
        /at most 24 characters/,
      ],
      [
        "a badge of 25 characters",
        { copy: { badge: "n".repeat(25) } },
        "copy.badge",
        /at most 24 characters/,
      ],
      ["an unknown member of copy", { copy: { prise: "9 €" } }, "copy", /did you mean `price`/],
      ["no colour", { brand: { buttonColor: "red" } }, "brand.buttonColor", /#rrggbb/],
    ])("API §2.12, §2.19 400: %s", async (_, over, path, words) => {
      const { status, body } = await post("/api/v1/jobs", over);
      expect([status, body.error.code]).toEqual([400, "INVALID_REQUEST"]);
      expect(body.error.details.issues[0]).toMatchObject({ path, message: expect.stringMatching(words) });
    });

    it.each([
      ["a zero width space", "\u200b"],
      ["soft hyphens", "\u00ad".repeat(24)],
      ["direction marks and a filler", " \u202e\u3164\ufe0f "],
    ])("API §2.12 invisible text counts as empty: %s", async (_, unseen) => {
      const visible = { headline: "Hello", price: "9 €" };
      const quoteOf = async (over: object) => {
        const { status, body } = await post("/api/v1/jobs/quote", over);
        expect(status, body.error?.message).toBe(200);
        return body.data.renderFingerprint;
      };
      const plain = await quoteOf({ copy: visible });
      expect(
        await quoteOf({ copy: { ...visible, subheadline: unseen, badge: unseen, oldPrice: unseen } }),
      ).toBe(plain);
      const away = (headline: string) => ({
        copy: visible,
        overrides: { "iab-728x90": { copy: { headline } } },
      });
      expect(await quoteOf(away(unseen))).toBe(await quoteOf(away("")));
    });

    it.each<[string, object, RegExp]>([
      ["a focal point left of the picture", { focalPoint: { x: -0.01, y: 0.5 } }, /at least 0/],
      ["a focal point below the picture", { focalPoint: { x: 0.5, y: 1.01 } }, /at most 1/],
      ["half a focal point", { focalPoint: { x: 0.5 } }, /is required/],
      ["an area that leaves the picture", keep(0.6, 0, 0.5, 1), /leaves the picture at its right edge/],
      ["an empty area", keep(0.5, 0.5, 0, 0.2), /greater than 0/],
      ["both a focal point and an area", { ...CENTRE, ...keep(0, 0, 1, 1) }, /only one of the two/],
      ["neither a focal point nor an area", {}, /must have `focalPoint` or `keep`/],
      ["an unknown member", { ...CENTRE, zoom: 2 }, /Unknown member `zoom`/],
    ])("API §2.20 400: %s, for the pack and for one size", async (_, media, words) => {
      const ofPack = { placements: { media } };
      const ofSize = { overrides: { "iab-300x250": { placements: { media } } } };
      for (const over of [ofPack, ofSize]) {
        const { status, body } = await post("/api/v1/jobs", over);
        expect([status, body.error.code]).toEqual([400, "INVALID_REQUEST"]);
        expect(body.error.message).toMatch(words);
      }
    });

    it("API §2.20 400: invalid numbers, and slots without placements", async () => {
      const { logo, media } = await pack.assetIds();
      const head = `{"contractId":"display.v1","selectedSizeIds":["iab-300x250"],"assetIds":{"logo":"${logo}","media":"${media}"}`;
      for (const placements of [
        '{"media":{"focalPoint":{"x":1e999,"y":0}}}',
        '{"logo":{"focalPoint":{"x":0,"y":0}}}',
      ]) {
        const answer = await send(service, "POST", "/api/v1/jobs", {
          key: rich.key,
          bytes: new TextEncoder().encode(`${head},"placements":${placements}}`),
          headers: { "Content-Type": "application/json" },
          idempotencyKey: newKey(),
        });
        expect([answer.status, answer.body.error.code]).toEqual([400, "INVALID_REQUEST"]);
      }
    });

    it.each<[string, object, string, object]>([
      ["a look that does not exist", { look: "blod" }, "LOOK_UNSUPPORTED", { looks: expect.any(Array) }],
      [
        "a placement of a slot without a picture",
        { placements: { secondaryMedia: CENTRE } },
        "PLACEMENT_UNSUPPORTED",
        { slots: ["secondaryMedia"] },
      ],
      [
        "this placement in an override",
        { overrides: { "iab-728x90": { placements: { background: CENTRE } } } },
        "PLACEMENT_UNSUPPORTED",
        { slots: ["background"] },
      ],
      [
        "an override of a size that is not selected",
        { overrides: { "iab-320x50": { variant: 2 } } },
        "OVERRIDE_UNSUPPORTED",
        { sizeIds: ["iab-320x50"] },
      ],
      [
        "scale 2 for a size whose network documents no 2x files",
        { contractId: "display.v2", selectedSizeIds: ["iab-300x250", "gads-300x250"], scale: 2 },
        "SCALE_UNSUPPORTED",
        { sizeIds: ["gads-300x250"], scale2SizeIds: expect.arrayContaining(["iab-300x250"]) },
      ],
      [
        "text in a script that no font supports",
        { copy: { headline: "Hello សួស្តី" } },
        "COPY_UNSUPPORTED",
        { characters: expect.arrayContaining(["ស", "ត"]) },
      ],
      [
        "such text in an override",
        { copy: { headline: "Hello" }, overrides: { "iab-728x90": { copy: { badge: "ក" } } } },
        "COPY_UNSUPPORTED",
        { characters: ["ក"] },
      ],
    ])("API §4.34, §4.49 422: %s, and 400 for a preview", async (_, over, code, details) => {
      for (const path of ["/api/v1/jobs", "/api/v1/jobs/quote"]) {
        const { status, body } = await post(path, over);
        expect([status, body.error.code]).toEqual([422, code]);
        expect(body.error.details).toMatchObject(details);
      }
      const { status, body } = await post("/api/v1/previews", over);
      expect([status, body.error.details.reason]).toEqual([400, code]);
    });

    it("API §4.49 the refusal of a misspelt look suggests the nearest look", async () => {
      const { body } = await post("/api/v1/jobs/quote", { look: "blod" });
      expect(body.error.message).toBe("There is no look `blod`. Did you mean `bold`?");
    });
  });

  describe("API §4.50 copy that does not fit is refused before payment", () => {
    const LONG = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen gratis";

    it("the refusal names the sizes and suggests a shorter headline; an order with that headline is drawn", async () => {
      const { key } = await seedWorkspace(service, { credits: 4 });
      const logo = await uploadLogo(service, key);
      const order = (headline: string) => ({
        contractId: "display.v1",
        selectedSizeIds: ["gads-120x600", "iab-728x90"],
        assetIds: { logo },
        copy: { headline },
      });
      const refused = await createJob(service, key, order(LONG));
      expect([refused.status, refused.body.error.code]).toEqual([422, "COPY_DOES_NOT_FIT"]);
      const [misfit, ...others] = refused.body.error.details.misfits;
      expect(others).toEqual([]);
      expect(misfit.sizeId).toBe("gads-120x600");
      expect(LONG.startsWith(misfit.longest)).toBe(true);
      expect(misfit.charactersMax).toBe([...misfit.longest].length);
      expect(misfit.charactersMax).toBeGreaterThan(5);
      expect(refused.body.error.message).toContain(`\`gads-120x600\` (at most “${misfit.longest}”`);
      expect(await creditsOf(service, key)).toBe(4);
      expect((await ledgerOf(service, key)).map(({ amount }) => amount)).toEqual([4]);
      expect((await send(service, "GET", "/api/v1/jobs", { key })).body.data.items).toEqual([]);

      const created = await createJob(service, key, order(misfit.longest));
      expect(created.status, JSON.stringify(created.body)).toBe(202);
      expect((await endOfJob(service, key, created.body.data.jobId)).status).toBe("succeeded");
    });

    it("an override with a shorter headline for that size is accepted, also in quotes and previews", async () => {
      const over = { selectedSizeIds: ["gads-120x600", "iab-728x90"], copy: { headline: LONG } };
      const quoted = await post("/api/v1/jobs/quote", over);
      expect([quoted.status, quoted.body.error.code]).toEqual([422, "COPY_DOES_NOT_FIT"]);
      const previewed = await post("/api/v1/previews", over);
      expect([previewed.status, previewed.body.error.details.reason]).toEqual([400, "COPY_DOES_NOT_FIT"]);
      const overrides = { "gads-120x600": { copy: { headline: "Gratis" } } };
      expect((await post("/api/v1/jobs/quote", { ...over, overrides })).status).toBe(200);
    });
  });

  describe("API §2.10, §2.21 a pack's design", () => {
    const design = {
      copy: {
        headline: "Two wheels",
        price: "899 €",
        oldPrice: "1,199 €",
        badge: "−25 %",
        language: "EN-gb",
      },
      brand: { accentColor: "#E4572E", buttonColor: "#0b5fff", buttonTextColor: "#ffffff" },
      look: "bold",
      variant: 2,
      composition: "split",
      placements: { media: CENTRE },
      overrides: {
        "iab-728x90": {
          copy: { headline: "Wheels", badge: "" },
          placements: { media: keep(0, 0, 1, 1) },
          composition: "framed",
        },
        "iab-300x250": { variant: 2, composition: "split", copy: { headline: "Two wheels" } },
      },
    };

    it("is shown normalized by the job, and drawn", async () => {
      const created = await pack.create(design);
      expect(created.status, JSON.stringify(created.body)).toBe(202);
      expect(created.body.data).toMatchObject({
        look: "bold",
        variant: 2,
        composition: "split",
        scale: 1,
        placements: design.placements,
      });
      expect(created.body.data.copy).toEqual({ ...design.copy, language: "en-GB" });
      expect(created.body.data.overrides).toEqual({ "iab-728x90": design.overrides["iab-728x90"] });
      const job = await endOfJob(service, rich.key, created.body.data.jobId);
      expect(job.status, JSON.stringify(job.failure)).toBe("succeeded");
      expect(job.overrides).toEqual(created.body.data.overrides);
    });

    it("API §14.1 has the same fingerprint with or without explicit defaults and redundant overrides", async () => {
      const fingerprintOf = async (over: object): Promise<string> =>
        (await post("/api/v1/jobs/quote", over)).body.data.renderFingerprint;
      const plain = await fingerprintOf({});
      const copy = { headline: "Hello" };
      const said = {
        look: "classic",
        variant: 1,
        composition: "auto",
        scale: 1,
        placements: {},
        overrides: { "iab-728x90": { variant: 1, composition: "auto", scale: 1 } },
      };
      expect(await fingerprintOf(said)).toBe(plain);
      expect(await fingerprintOf({ copy, overrides: { "iab-728x90": { copy } } })).toBe(
        await fingerprintOf({ copy }),
      );
    });

    it("API §4.13 with composition and scale is replayed; another design with the same Idempotency-Key is refused", async () => {
      const idempotencyKey = newKey();
      const order = { contractId: "display.v2", composition: "full_bleed", scale: 2 };
      const first = await pack.create(order, idempotencyKey);
      expect(first.status, JSON.stringify(first.body)).toBe(202);
      expect((await pack.create(order, idempotencyKey)).body.data.jobId).toBe(first.body.data.jobId);
      expect((await pack.create({ ...order, composition: "split" }, idempotencyKey)).status).toBe(409);
      expect((await pack.create({ ...order, scale: 1 }, idempotencyKey)).status).toBe(409);
    });

    it("API §2.13, §2.22 with scale 2 has 2x files at the same price, named @2x in manifest and ZIP", async () => {
      const order = { contractId: "display.v2", overrides: { "iab-728x90": { scale: 2 } } };
      const created = await pack.create(order);
      expect(created.body.data).toMatchObject({ expectedCost: { amount: 2 }, overrides: order.overrides });
      const job = await endOfJob(service, rich.key, created.body.data.jobId);
      const { body } = await send(service, "GET", `/api/v1/artifacts/${job.artifactId}`, { key: rich.key });
      const [single, double] = body.data.files;
      expect([single.fileName, single.width, single.layout.scale]).toEqual([
        "iab-300x250.png",
        300,
        undefined,
      ]);
      expect([double.fileName, double.width, double.height]).toEqual(["iab-728x90@2x.png", 1456, 180]);
      expect(double.compliance).toMatchObject({ verdict: "pass", byteCap: 150_000 });
      expect(double.compliance.checks[0]).toMatchObject({ required: "1456x180", sourceId: "dv360-3017252" });
      const path = `/api/v1/artifacts/${job.artifactId}/files/${double.fileId}/download`;
      const file = await send(service, "GET", path, { key: rich.key });
      expect(file.headers.get("Content-Disposition")).toContain('filename="iab-728x90@2x.png"');

      const sized = { contractId: "display.v2", selectedSizeIds: ["iab-728x90"] };
      const preview = async (scale: number) =>
        (await post("/api/v1/previews", { ...sized, scale })).body.data;
      const [one, two] = [await preview(1), await preview(2)];
      expect([two.image.width, two.image.height]).toEqual([one.image.width, one.image.height]);
      expect(two.layout).toMatchObject({ scale: 2, elements: double.layout.elements });
    });

    it("API §13.6 is shown in a size's preview with the override of that size", async () => {
      const own = { variant: 3, placements: { media: keep(0.25, 0, 0.5, 1) } };
      const byOverride = await post("/api/v1/previews", { overrides: { "iab-300x250": own } });
      expect(byOverride.status, JSON.stringify(byOverride.body)).toBe(200);
      const directly = await post("/api/v1/previews", own);
      expect(directly.body.data).toMatchObject({ cached: true, previewId: byOverride.body.data.previewId });
    });
  });
};
