import { copyFile, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LOCAL_ORIGIN } from "../../../scripts/make/site/code-samples.ts";
import { codeOfGuide } from "../../../scripts/make/site/guides.ts";
import { seedWorkspace } from "../support/arrange.ts";
import type { Service } from "../support/service.ts";
import { HAS_REQUESTS, paste, runWith, SHELLS } from "../support/shells.ts";

/** The programs of the quickstarts run as shown. */

interface Place {
  readonly service: Service;
  /** Folder of the programs and their files. */
  readonly folder: string;
}

/** A guide's program, with the service's address. */
async function shownProgram(guide: string, name: string, { service }: Place): Promise<string> {
  const blocks = codeOfGuide(await readFile(`docs/guides/${guide}.md`, "utf8"));
  const code = blocks.filter(({ run }) => run === name).map((block) => block.code);
  if (code.length === 0) throw new Error(`docs/guides/${guide}.md shows no program ${name}`);
  return code.join("\n").replaceAll(LOCAL_ORIGIN, service.origin);
}

/** Registers the tests; `placeOf` is available once they run. */
export function describeGuides(placeOf: () => Place): void {
  const withKey = async (credits = 3): Promise<NodeJS.ProcessEnv> => ({
    KEY: (await seedWorkspace(placeOf().service, { credits })).key,
  });
  const unpacked = () => readFile(join(placeOf().folder, "pack.zip"));

  describe("the quickstarts of docs/guides", () => {
    it("claims a trial key as the curl guide shows", async () => {
      const code = await shownProgram("quickstart-curl", "trial-key", placeOf());
      const { stdout, stderr } = await paste("bash", placeOf().folder, code);
      expect(stdout, stderr).toMatch(/cpk_trial_\w+/);
    });

    it("makes a pack with the TypeScript package", async () => {
      const { folder } = placeOf();
      await copyFile("samples/bottle-photo.jpg", join(folder, "photo.jpg"));
      const code = await shownProgram("quickstart-typescript", "quickstart-typescript", placeOf());
      const typed = ["--input-type=module-typescript", "-"];
      const { stdout, stderr } = await runWith(process.execPath, typed, folder, code, await withKey());
      expect(stdout, stderr).toContain("3 of 3");
      expect(await readdir(join(folder, "packs"))).toHaveLength(4);
    });

    it.each(SHELLS)("makes a pack with curl, step by step, in %s", async (shell) => {
      await rm(join(placeOf().folder, "pack.zip"), { force: true });
      const code = await shownProgram("quickstart-curl", "quickstart-curl", placeOf());
      const { stderr } = await paste(shell, placeOf().folder, code, await withKey());
      expect((await unpacked().catch(() => Buffer.from(stderr))).subarray(0, 2).toString(), stderr).toBe(
        "PK",
      );
      const preview = await readFile(join(placeOf().folder, "preview.png"));
      expect(preview.subarray(1, 4).toString()).toBe("PNG");
    });

    it("shows the refusal and stops if the credits are insufficient, with curl", async () => {
      await rm(join(placeOf().folder, "pack.zip"), { force: true });
      const code = await shownProgram("quickstart-curl", "quickstart-curl", placeOf());
      const { stderr } = await paste("bash", placeOf().folder, code, await withKey(1));
      expect(stderr).toMatch(/"PAYMENT_REQUIRED".+Add credits/);
      await expect(unpacked()).rejects.toThrow("ENOENT");
    });

    it.runIf(HAS_REQUESTS)("makes a pack with Python, if `requests` is installed", async () => {
      await rm(join(placeOf().folder, "pack.zip"), { force: true });
      const code = await shownProgram("quickstart-python", "quickstart-python", placeOf());
      const { stdout, stderr } = await runWith("python3", ["-"], placeOf().folder, code, await withKey());
      expect(stdout, stderr).toContain("pack.zip 3 sizes");
      expect((await unpacked()).subarray(0, 2).toString()).toBe("PK");
    });
  });
}
