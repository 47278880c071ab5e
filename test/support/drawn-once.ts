import { vi } from "vitest";
import { getRenderer } from "#platform/render-engine.ts";
import type { PreparedPack, RenderedOutput, Result } from "#renderer/index.ts";

/**
 * Prepares one pack, draws each size once and then returns the cached output, for tests that count messages of
 * identical jobs. Ends with the test.
 */
export function drawEachSizeOnce(): void {
  const renderer = getRenderer();
  const prepare = renderer.prepare.bind(renderer);
  const render = renderer.render.bind(renderer);
  let prepared: Result<PreparedPack> | null = null;
  const drawn = new Map<string, Result<RenderedOutput>>();
  vi.spyOn(renderer, "prepare").mockImplementation(async (inputs) => {
    prepared ??= await prepare(inputs);
    return prepared.ok ? { ok: true, value: { ...prepared.value, close: () => undefined } } : prepared;
  });
  vi.spyOn(renderer, "render").mockImplementation(async (pack, request) => {
    const { sizeId } = request.size;
    const known = drawn.get(sizeId) ?? (await render(pack, request));
    drawn.set(sizeId, known);
    return known;
  });
}
