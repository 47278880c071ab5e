import { type Context, connect } from "../context.ts";
import { columns } from "../terminal.ts";

/** Lists contracts, or the sizes of one. Needs no key. */
export async function sizes(context: Context, contractId: string | undefined): Promise<void> {
  const client = await connect(context, false);
  const { terminal, signal } = context;
  if (contractId === undefined) {
    const { items } = await client.contracts.list({ signal }).firstPage();
    terminal.result(items, [
      ...columns(items.map((item) => [item.contractId, item.title])),
      "",
      `The sizes of one: creative-packs sizes ${items[0]?.contractId ?? "display.v1"}`,
    ]);
    return;
  }
  const contract = await client.contracts.get(contractId, { signal });
  const rows = contract.sizes.map(({ sizeId, group, width, height, byteCap }) => [
    sizeId,
    `${width}×${height}`,
    group,
    byteCap === null ? "" : `at most ${Math.floor(byteCap / 1_000)} kB`,
  ]);
  const { static: still, animated } = contract.prices;
  terminal.result(contract, [
    terminal.paint.strong(contract.title),
    ...columns(rows),
    "",
    `Stills: ${contract.staticFormats.join(", ")}, ${still} credit a size. Animated: ${contract.animatedFormats.join(", ")}, ${animated} a size.`,
  ]);
}
