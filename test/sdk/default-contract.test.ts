import { expect, it } from "vitest";
import { findContract } from "#catalogue/contracts.ts";
import { DesignReader } from "../../sdk/src/cli/design-file.ts";
import { readPackInput } from "../../sdk/src/cli/pack-input.ts";

it.each(["jpg", "gif", "html5", "mp4"] as const)(
  "the default contract of the command line supports %s",
  async (format) => {
    const { contractId } = await readPackInput({ format }, new DesignReader("."), []);
    const contract = findContract(contractId);
    expect([...(contract?.staticFormats ?? []), ...(contract?.animatedFormats ?? [])]).toContain(format);
  },
);
