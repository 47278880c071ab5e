import { beforeAll, it } from "vitest";
import { reportStress } from "../stress/report.ts";
import { freshStorage } from "./fresh-storage.ts";
import { crashesOfCreation } from "./job-crashes.ts";

/** The other means of payment, and cancellation, are in crash-job.long.test.ts. */

beforeAll(freshStorage);

it("the creation of a job paid by credits survives a crash at any step", async ({ task }) => {
  reportStress(task, await crashesOfCreation({ credits: 3 }));
});
