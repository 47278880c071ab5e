import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { CLIENT_WINDOWS, LIMITS, windowVariable } from "#api/limits.ts";
import { errorEnvelope, successEnvelope } from "#api/schemas/envelope.ts";
import { trialSchema } from "#api/schemas/trial.ts";
import type { Env } from "#platform/bindings/env.ts";
import { clock } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { call } from "../support/workspace.ts";

const PATH = "/api/v1/agent/trial-key";
const HOUR_MS = 3_600_000;

/** Counts up, so that each test has its own address and /24 network, and thus its own windows. */
let sites = 0;
function newAddress(): string {
  sites += 1;
  return `10.${Math.floor(sites / 250)}.${sites % 250}.9`;
}

interface Identity {
  readonly address?: string;
  readonly userAgent?: string;
  readonly marker?: string;
}

const claim = (
  { address, userAgent = "client/1", marker }: Identity,
  headers: Record<string, string> = {},
  settings?: Partial<Env>,
) =>
  call("POST", PATH, {
    ...(settings === undefined ? {} : { settings }),
    body: marker === undefined ? {} : { clientMarker: marker },
    headers: {
      "User-Agent": userAgent,
      ...(address === undefined ? {} : { "CF-Connecting-IP": address }),
      ...headers,
    },
  });

const trialOf = (answer: Awaited<ReturnType<typeof claim>>) => {
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return successEnvelope(trialSchema.strict()).parse(answer.body).data;
};

describe("POST trial-key 201", () => {
  it("address, user agent and marker are separate parts of an identity: a letter moved from one to the next gives another identity", async () => {
    const address = newAddress();
    for (const identity of [
      { address, userAgent: "ab", marker: "c" },
      { address, userAgent: "a", marker: "bc" },
      { address, userAgent: "ab" },
      { address: newAddress(), userAgent: "ab", marker: "c" },
    ]) {
      trialOf(await claim(identity));
    }
    expect((await claim({ address, userAgent: "ab", marker: "c" })).status).toBe(429);
  });

  it("the same identity can claim another trial exactly when the hour has ended", async () => {
    const identity = { address: newAddress() };
    const startMs = Date.now();
    vi.spyOn(clock, "now").mockReturnValue(startMs);
    const first = trialOf(await claim(identity));
    vi.spyOn(clock, "now").mockReturnValue(startMs + LIMITS.trialLifetimeMs - 1);
    const early = await claim(identity);
    expect([early.status, early.headers.get("Retry-After")]).toEqual([429, "1"]);
    vi.spyOn(clock, "now").mockReturnValue(startMs + LIMITS.trialLifetimeMs);
    const second = trialOf(await claim(identity));
    expect(second.workspace.workspaceId).not.toBe(first.workspace.workspaceId);
  });
});

describe("429 TRIAL_ALREADY_CLAIMED", () => {
  it("its X-RateLimit headers describe the trial, and X-RateLimit-Reset and Retry-After agree", async () => {
    const identity = { address: newAddress() };
    const startMs = Math.floor(Date.now() / 1_000) * 1_000;
    vi.spyOn(clock, "now").mockReturnValue(startMs);
    const { workspace } = trialOf(await claim(identity));
    for (const afterMs of [1, 1_000, LIMITS.trialLifetimeMs - 1]) {
      vi.spyOn(clock, "now").mockReturnValue(startMs + afterMs);
      const { status, headers, body } = await claim(identity);
      expect([status, body.error.code]).toEqual([429, "TRIAL_ALREADY_CLAIMED"]);
      expect(headers.get("X-RateLimit-Reset")).toBe(workspace.expiresAt);
      expect(headers.get("X-RateLimit-Limit")).toBe("1");
      expect(headers.get("X-RateLimit-Remaining")).toBe("0");
      const leftSeconds = Math.ceil((LIMITS.trialLifetimeMs - afterMs) / 1_000);
      expect(headers.get("Retry-After")).toBe(String(leftSeconds));
    }
  });

  it("of 20 concurrent claims by one identity, one creates a workspace and the others store nothing", async () => {
    const countTrialRows = async () => {
      const trials = "(SELECT workspace_id FROM workspaces WHERE kind = 'trial')";
      const total = await env.DB.prepare(
        `SELECT (SELECT COUNT(*) FROM workspaces WHERE kind = 'trial')
           + (SELECT COUNT(*) FROM api_keys WHERE workspace_id IN ${trials})
           + (SELECT COUNT(*) FROM ledger_events WHERE type = 'grant' AND workspace_id IN ${trials}) AS total`,
      ).first<number>("total");
      return total ?? 0;
    };
    const before = await countTrialRows();
    const identity = { address: newAddress(), marker: "at-once" };
    const answers = await Promise.all(Array.from({ length: 20 }, () => claim(identity)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status, headers, body } of answers.filter((answer) => answer.status !== 201)) {
      const { error } = errorEnvelope.parse(body);
      // Claims that found no running trial count in the network's hourly window, which has a lower limit.
      expect(status).toBe(429);
      expect(["TRIAL_ALREADY_CLAIMED", "RATE_LIMITED"]).toContain(error.code);
      expect(headers.get("X-RateLimit-Remaining")).toMatch(/^\d+$/);
    }
    expect((await countTrialRows()) - before).toBe(3);
  });

  it("headers that a client controls do not change the identity", async () => {
    const address = newAddress();
    trialOf(await claim({ address }));
    for (const name of ["X-Forwarded-For", "X-Real-IP", "True-Client-IP", "Forwarded"]) {
      expect((await claim({ address }, { [name]: "198.51.100.9" })).status, name).toBe(429);
    }
  });
});

describe("429 RATE_LIMITED", () => {
  /** A day on which no other test counts. */
  const DAY_START_MS = Date.parse("2031-03-04T00:00:00.000Z");
  const at = (sinceMs: number) => vi.spyOn(clock, "now").mockReturnValue(DAY_START_MS + sinceMs);

  /** Claims trials with different identities until one is refused. Returns the number of granted trials. */
  async function claimUntilRefused(addressOf: (at: number) => string, settings?: Partial<Env>) {
    for (let claims = 0; claims <= CLAIMS_TRIED_MAX; claims += 1) {
      const identity = { address: addressOf(claims), marker: newId(), userAgent: `agent/${claims}` };
      const answer = await claim(identity, {}, settings);
      if (answer.status !== 201) return { claims, answer };
    }
    throw new Error("none was refused");
  }

  const CLAIMS_TRIED_MAX = 60;
  const shownOf = ({ status, headers, body }: Awaited<ReturnType<typeof claim>>) => [
    status,
    body.error.code,
    body.error.details.family,
    headers.get("X-RateLimit-Limit"),
    headers.get("X-RateLimit-Remaining"),
    headers.get("X-RateLimit-Reset"),
    headers.get("Retry-After"),
  ];

  it("a network gets ten trials an hour and thirty a day, whatever the identities", async () => {
    expect([CLIENT_WINDOWS["trial-hour"].limit, CLIENT_WINDOWS["trial-day"].limit]).toEqual([10, 30]);
    const settings = { [windowVariable("trial-hour")]: "2", [windowVariable("trial-day")]: "5" };
    const address = newAddress();
    at(60_000);
    const first = await claimUntilRefused(() => address, settings);
    expect(first.claims).toBe(2);
    expect(shownOf(first.answer)).toEqual([
      ...[429, "RATE_LIMITED", "trial-hour", "2", "0", "2031-03-04T01:00:00.000Z", "3540"],
    ]);
    at(HOUR_MS);
    expect((await claimUntilRefused(() => address, settings)).claims).toBe(2);
    at(2 * HOUR_MS);
    const daily = await claimUntilRefused(() => address, settings);
    expect(daily.claims).toBe(1);
    expect(shownOf(daily.answer)).toEqual([
      ...[429, "RATE_LIMITED", "trial-day", "5", "0", "2031-03-05T00:00:00.000Z", "79200"],
    ]);
    trialOf(await claim({ address: newAddress() }));
    at(24 * HOUR_MS);
    trialOf(await claim({ address, marker: newId() }));
  });

  /** Lower limits for the windows of an address and of its /24 network. */
  const FEWER = { [windowVariable("trial-hour")]: "3", [windowVariable("trial-site-hour")]: "8" };

  it("addresses of one IPv4 /24 share a larger hourly limit, which one address cannot use up", async () => {
    expect(CLIENT_WINDOWS["trial-site-hour"].limit).toBe(40);
    at(25 * HOUR_MS);
    expect((await claimUntilRefused(() => "198.18.7.1", FEWER)).claims).toBe(3);
    for (let more = 0; more < 5; more += 1) await claimUntilRefused(() => "198.18.7.1", FEWER);
    const others = await claimUntilRefused((n) => `198.18.7.${n + 2}`, FEWER);
    expect([others.claims, others.answer.body.error.details.family]).toEqual([5, "trial-site-hour"]);
    expect(others.answer.headers.get("X-RateLimit-Reset")).toBe("2031-03-05T02:00:00.000Z");
  });

  it("a claim refused because of a running trial does not count for the network", async () => {
    at(29 * HOUR_MS);
    const identity = { address: newAddress(), marker: "again" };
    trialOf(await claim(identity));
    for (let more = 0; more < 5; more += 1) {
      expect((await claim(identity)).body.error.code).toBe("TRIAL_ALREADY_CLAIMED");
    }
    expect((await claimUntilRefused(() => identity.address, FEWER)).claims).toBe(2);
  });

  it("the route family's window counts every request of a network, including refused ones", async () => {
    at(31 * HOUR_MS);
    const identity = { address: newAddress() };
    const answers = [];
    const settings = { [windowVariable("trial")]: "4" };
    for (let more = 0; more <= 4; more += 1) answers.push(await claim(identity, {}, settings));
    expect(answers[0]?.status).toBe(201);
    expect(answers.at(-2)?.body.error.code).toBe("TRIAL_ALREADY_CLAIMED");
    expect(shownOf(answers.at(-1) ?? (await claim(identity))).slice(0, 3)).toEqual([
      429,
      "RATE_LIMITED",
      "trial",
    ]);
  });
});

it("the client's address, agent and marker are not stored", async () => {
  const identity = { address: newAddress(), userAgent: "agent-of-nobody/9", marker: "marker-of-nobody" };
  const { secret } = trialOf(await claim(identity));
  await claim(identity);
  const tables = ["workspaces", "api_keys", "ledger_events", "trial_claims"];
  const rows = await Promise.all(tables.map((table) => env.DB.prepare(`SELECT * FROM ${table}`).all()));
  const kept = JSON.stringify(rows.map(({ results }) => results));
  for (const text of [...Object.values(identity), secret]) expect(kept).not.toContain(text);
});
