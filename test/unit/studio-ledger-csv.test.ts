import { expect, it } from "vitest";
import { CSV_HEAD, csvLine } from "../../studio/src/usage/ledger-csv.ts";

const event = {
  eventId: "1042",
  type: "consumption",
  amount: -8,
  unit: "credit",
  source: "credits",
  balanceAfter: 34,
  jobId: null,
  description: "Job reserved",
  createdAt: "2026-06-18T12:00:00.000Z",
} as const;

it("a row has the columns of the header, and amounts are numbers", () => {
  expect(CSV_HEAD).toBe("createdAt,eventId,type,source,amount,balanceAfter,jobId,description\r\n");
  expect(csvLine(event)).toBe("2026-06-18T12:00:00.000Z,1042,consumption,credits,-8,34,,Job reserved\r\n");
});

it("a text with commas, quotes and line breaks stays one field, and a formula stays text", () => {
  const line = csvLine({ ...event, description: '=HYPERLINK("x"),\na' });
  expect(line.endsWith(`,"'=HYPERLINK(""x""),\na"\r\n`)).toBe(true);
});
