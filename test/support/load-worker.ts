/** Loads what the worker loads at the first event of a kind: no test's first request waits until it is compiled. */
import "../../src/openapi/document.ts";
import { loadConsumers, loadSweeps } from "../../src/queue/load.ts";
import { loadRoutes } from "../../src/routes/index.ts";

await Promise.all([loadRoutes(), loadConsumers(), loadSweeps()]);
