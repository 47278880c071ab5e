import { describe, expect, it } from "vitest";
import { readInlineFile } from "#interface/mcp/inline-file.ts";
import { silenceLogs } from "../support/read-logs.ts";

describe("API §17.9 a file inside a message", () => {
  const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]).toString("base64");

  it("whose inspection fails is rejected with advice, and does not count as a failure of the service", () => {
    silenceLogs();
    const failing = (): never => {
      throw new RangeError("Maximum call stack size exceeded");
    };
    expect(readInlineFile(PNG, failing)).toMatchObject({
      ok: false,
      code: "UPLOAD_INTENT_INVALID",
      message: expect.stringContaining("Export it again"),
      details: { field: "base64" },
    });
  });
});
