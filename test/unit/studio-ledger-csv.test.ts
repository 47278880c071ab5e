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

it("a line has the values of the head, amounts as numbers", () => {
  expect(CSV_HEAD).toBe("createdAt,eventId,type,source,amount,balanceAfter,jobId,description\r\n");
  expect(csvLine(event)).toBe("2026-06-18T12:00:00.000Z,1042,consumption,credits,-8,34,,Job reserved\r\n");
});

it("texts with commas, quotes and lines stay one field, and formulas stay texts", () => {
  const line = csvLine({ ...event, description: '=HYPERLINK("x"),\na' });
  expect(line.endsWith(`,"'=HYPERLINK(""x""),\na"\r\n`)).toBe(true);
});
