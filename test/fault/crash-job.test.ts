import { beforeAll, it } from "vitest";
import { reportStress } from "../stress/report.ts";
import { freshStorage } from "./fresh-storage.ts";
import { crashesOfCreation } from "./job-crashes.ts";

/** The other means of payment, and cancellation, are in crash-job.long.test.ts. */

beforeAll(freshStorage);

it("creating a job paid by credits", async ({ task }) => {
  reportStress(task, await crashesOfCreation({ credits: 3 }));
});
