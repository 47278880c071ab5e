import { describe, expect, it } from "vitest";
import { packRequestSchema } from "#api/schemas/job.ts";
import { shareSizes } from "#catalogue/shared-sizes.ts";
import { SIZES } from "#catalogue/sizes.ts";
import { type Draft, type DraftFile, emptyDraft, TEXT_FIELDS } from "../../studio/src/editor/draft/draft.ts";
import {
  begin,
  change,
  createEditorStore,
  filesInUse,
  redo,
  undo,
} from "../../studio/src/editor/draft/editor-store.ts";
import {
  chooseSizes,
  clearOverride,
  moveFile,
  networksServedBy,
  setFile,
  setOwnDesign,
  setOwnPlacement,
  setOwnText,
  setPlacement,
  setText,
} from "../../studio/src/editor/draft/edits.ts";
import { missingParts, packRequestOf, textFault } from "../../studio/src/editor/order/pack-request.ts";
import { draftFile } from "../support/draft-file.ts";

const file = (name: string, more: Partial<DraftFile> = {}): DraftFile =>
  draftFile({ sha256: name.padEnd(64, "0"), name, ...more });

const PHOTO = file("a");
const withPhoto: Draft = setFile(emptyDraft, "media", PHOTO);
const POINT = { focalPoint: { x: 0.2, y: 0.4 } };
const ASSETS = { media: "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71" };

describe("the history", () => {
  const typed = (text: string): Draft => setText(emptyDraft, "headline", text);

  it("undoes and redoes continuous typing as one step", () => {
    let history = begin(emptyDraft);
    for (const [index, text] of ["T", "Tw", "Two"].entries())
      history = change(history, typed(text), "text.headline", index * 100);
    history = change(history, typed("Two wheels"), "text.headline", 5_000);
    history = undo(history);
    expect(history.present.texts.headline).toBe("Two");
    history = undo(history);
    expect(history.present).toBe(emptyDraft);
    expect(undo(history)).toBe(history);
    expect(redo(redo(history)).present.texts.headline).toBe("Two wheels");
  });

  it("keeps the changes of two fields apart, and drops redo steps after a new change", () => {
    let history = change(begin(emptyDraft), typed("Two"), "text.headline", 0);
    history = change(history, setText(history.present, "cta", "Go"), "text.cta", 10);
    history = undo(history);
    expect(history.present.texts).toMatchObject({ headline: "Two", cta: "" });
    history = change(history, typed("Three"), "text.headline", 20);
    expect(redo(history)).toBe(history);
  });

  it("lists the files of all its steps, so that their bytes are kept", () => {
    const history = change(begin(withPhoto), setFile(withPhoto, "media", null), null, 0);
    expect([...filesInUse(history)]).toEqual([PHOTO.sha256]);
  });
});

it("the ordered draft excludes changes made while the pack was drawn", () => {
  const store = createEditorStore("draft", null);
  const { edit, setOrder, finishOrder } = store.getState();
  const draft = store.getState().history.present;
  const request = packRequestOf(withPhoto, ASSETS);
  setOrder({ idempotencyKey: "key", request, draft, cost: 10, jobId: "job" });
  edit((now) => setText(now, "headline", "Two wheels"));
  finishOrder("job");
  const { ordered, history, order, versionOf } = store.getState();
  expect({ order, versionOf }).toEqual({ order: null, versionOf: "job" });
  expect(ordered).toBe(draft);
  expect(ordered).not.toBe(history.present);
});

describe("changes of a draft", () => {
  it("drop a picture's focal point with the picture, in every size, and keep it otherwise", () => {
    const placed = setOwnPlacement(setPlacement(withPhoto, "media", POINT), "iab-300x250", "media", POINT);
    expect(setFile(placed, "logo", file("b")).placements).toEqual({ media: POINT });
    const replaced = setFile(placed, "media", file("c"));
    expect([replaced.placements, replaced.overrides]).toEqual([{}, {}]);
  });

  it("swap two files when one moves to the other's slot", () => {
    const both = setFile(withPhoto, "background", file("b"));
    const moved = moveFile(both, "media", "background");
    expect([moved.files.background?.name, moved.files.media?.name]).toEqual(["a", "b"]);
  });

  it("drop an override without values", () => {
    const own = setOwnDesign(setOwnText(withPhoto, "iab-300x250", "cta", ""), "iab-300x250", {
      variant: 2,
      scale: 2,
    });
    expect(own.overrides["iab-300x250"]).toMatchObject({ texts: { cta: "" }, variant: 2, scale: 2 });
    const back = setOwnDesign(setOwnText(own, "iab-300x250", "cta", null), "iab-300x250", {
      variant: null,
      scale: undefined,
    });
    expect(back.overrides).toEqual({});
    expect(clearOverride(own, "iab-300x250").overrides).toEqual({});
  });

  it("select an image that serves several networks once, in its strictest size, and keep its overrides", () => {
    const images = shareSizes(SIZES, "jpg").filter(({ size }) => size.sizeId === "gads-970x250");
    const own = setOwnText(emptyDraft, "iab-970x250", "headline", "Go");
    const doubled = { ...own, sizeIds: ["iab-970x250", "amazon-970x250", "og-1200x630"] };
    const chosen = chooseSizes(doubled, SIZES, images, true);
    expect(chosen.sizeIds).toEqual(["gads-970x250", "og-1200x630"]);
    expect(chosen.overrides["gads-970x250"]?.texts).toEqual({ headline: "Go" });
    expect(images.map((image) => networksServedBy(image, doubled.sizeIds))).toEqual([["iab", "amazon"]]);
    expect(images.map((image) => networksServedBy(image, chosen.sizeIds))).toEqual([
      ["iab", "gads", "amazon"],
    ]);
  });
});

it("a keystroke changes one field of the form, so that no other field renders again", () => {
  for (const field of TEXT_FIELDS) {
    const { texts: before } = setText(emptyDraft, field, "1");
    const { texts: after } = setText({ ...emptyDraft, texts: before }, field, "12");
    // The same comparison as in PackText (studio/src/editor/copy/pack-text.tsx).
    const changed = TEXT_FIELDS.filter(
      (one) => before[one] !== after[one] || textFault(before, one) !== textFault(after, one),
    );
    expect(changed).toEqual([field]);
  }
});

describe("the order", () => {
  it("is a valid body for the API, with overrides only of selected sizes", () => {
    const draft = [
      (one: Draft) => setText(one, "headline", "  Two wheels "),
      (one: Draft) => setText(one, "price", "899 €"),
      (one: Draft) => setPlacement(one, "media", POINT),
      (one: Draft) => setOwnText(one, "iab-300x250", "headline", "Two"),
      (one: Draft) => setOwnText(one, "iab-120x60", "headline", "Not chosen"),
      (one: Draft) => ({ ...one, brand: { primaryColor: "#17623b", textColor: undefined }, language: "en" }),
    ].reduce((now, edit) => edit(now), withPhoto);
    const request = packRequestOf(draft, ASSETS);
    const parsed = packRequestSchema.parse(request);
    expect(parsed.copy).toEqual({ headline: "Two wheels", price: "899 €", language: "en" });
    expect(parsed.brand).toEqual({ primaryColor: "#17623b" });
    expect(parsed.overrides).toEqual({ "iab-300x250": { copy: { headline: "Two" } } });
    expect(JSON.stringify(packRequestOf(draft, ASSETS))).toBe(JSON.stringify(request));
  });

  it("reports missing fields, in the order of the form", () => {
    expect(missingParts(withPhoto)).toEqual([]);
    expect(missingParts({ ...emptyDraft, sizeIds: [] })).toEqual(["files", "sizes"]);
    expect(missingParts(setFile(emptyDraft, "font", file("f", { mimeType: "font/ttf" })))).toEqual(["files"]);
    expect(missingParts(setFile(withPhoto, "product", file("p")))).toEqual(["slots"]);
    expect(missingParts(setText(withPhoto, "oldPrice", "1.199 €"))).toEqual(["texts"]);
    expect(missingParts(setOwnText(withPhoto, "iab-300x250", "headline", "x".repeat(91)))).toEqual(["texts"]);
    expect(missingParts(setOwnText(withPhoto, "iab-120x60", "headline", "x".repeat(91)))).toEqual([]);
  });

  it("counts characters as the API does, and requires a digit in prices and a price beside an old one", () => {
    expect(textFault({ headline: `${"é".repeat(90)}  ` }, "headline")).toBeNull();
    expect(textFault({ headline: "👩".repeat(91) }, "headline")).toBe("tooLong");
    expect(textFault({ price: "free" }, "price")).toBe("noDigit");
    expect(textFault({ price: "٨٩٩" }, "price")).toBeNull();
    expect(textFault({ oldPrice: "9 €" }, "oldPrice")).toBe("noPrice");
  });
});
