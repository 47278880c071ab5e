import { beforeAll, it } from "vitest";
import { reportStress } from "../stress/report.ts";
import { freshStorage } from "./fresh-storage.ts";
import { crashesOfCreation } from "./job-crashes.ts";

/**
 * Guarantee: a job whose creation is broken off at any await is, once the request is sent again, made and paid once, as
 * if nothing had happened. Other ways to pay, and cancelling, are in crash-job.long.test.ts.
 */

beforeAll(freshStorage);

it("creating a job paid by credits", async ({ task }) => {
  reportStress(task, await crashesOfCreation({ credits: 3 }));
});
