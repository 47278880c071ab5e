import { registerHooks } from "node:module";

/**
 * Lets plain Node.js load the worker's modules: WASM and fonts, which wrangler's bundler compiles in, load as
 * nothing, and the platform's own module as one without bindings. Enough to describe the routes, never to draw. Import it before anything of `src/`.
 */
const BINARY = /\.(wasm|ttf|weights)$|^cloudflare:workers$/;

registerHooks({
  resolve: (specifier, context, nextResolve) =>
    BINARY.test(specifier)
      ? { url: `binary:${encodeURIComponent(specifier)}`, shortCircuit: true }
      : nextResolve(specifier, context),
  load: (url, context, nextLoad) =>
    url.startsWith("binary:")
      ? { format: "module", source: "export default undefined; export const env = {};", shortCircuit: true }
      : nextLoad(url, context),
});
