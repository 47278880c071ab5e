/** Loads what the worker loads at the first event of a kind: no test's first request waits until it is compiled. */
import "../../src/openapi/document.ts";
import "../../src/queue/consume.ts";
import "../../src/queue/run-sweeps.ts";
import { loadRoutes } from "../../src/routes/index.ts";

await loadRoutes();
