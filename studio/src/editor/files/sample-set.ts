import photoAddress from "creative-packs-service/samples/dandelion.jpg?url";
import logoAddress from "creative-packs-service/samples/logo.svg?url";
import type { TextField } from "../draft/draft.ts";
import type { Incoming } from "./use-intake.ts";

/** The pictures of a pack to try things out with: samples of the repository, served as files of the Studio. */

const FILES = [
  { address: photoAddress, name: "dandelion.jpg", slot: "media" },
  { address: logoAddress, name: "pappus.svg", slot: "logo" },
] as const;

/** Texts of the sample, whose words are the examples of the fields. */
export const SAMPLE_TEXTS = ["headline", "subheadline", "cta"] as const satisfies readonly TextField[];

/** Fetches the files of the sample. Throws where one does not come. */
export const fetchSampleSet = (): Promise<Incoming[]> =>
  Promise.all(
    FILES.map(async ({ address, name, slot }) => {
      const response = await fetch(address);
      if (!response.ok) throw new Error(`${name} answered ${response.status}`);
      return { blob: await response.blob(), name, slot };
    }),
  );
