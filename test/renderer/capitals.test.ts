import { describe, expect, it } from "vitest";
import { capitals } from "#renderer/layout/design/typesetter.ts";

describe("capitals", () => {
  it("follow the language of the text", () => {
    expect(capitals("ilk ılık gün", "tr")).toBe("İLK ILIK GÜN");
    expect(capitals("ilk", "en")).toBe("ILK");
    expect(capitals("Straße", "de-AT")).toBe("STRASSE");
  });

  it("have no accent in Greek, but keep the diaeresis and the marks of other scripts", () => {
    expect(capitals("Απαλό μαΐου", "el")).toBe("ΑΠΑΛΟ ΜΑΪΟΥ");
    expect(capitals("élan тёплый", undefined)).toBe("ÉLAN ТЁПЛЫЙ");
  });

  it("leave scripts without capitals, and Georgian, unchanged", () => {
    expect(capitals("ახალი new 新しい", undefined)).toBe("ახალი NEW 新しい");
  });
});
