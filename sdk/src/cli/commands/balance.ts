import { type Context, connect } from "../context.ts";

export async function balance(context: Context): Promise<void> {
  const client = await connect(context);
  const found = await client.balance.get({ signal: context.signal });
  const { credits, subscription, accessType, prices } = found;
  const lines = [`${context.terminal.paint.strong(String(credits.available))} credits`];
  if (accessType === "unlimited") lines.push("Packs of this workspace are not counted.");
  if (subscription !== null) {
    const { remaining, limit, resetsAt } = subscription.quota;
    lines.push(`${remaining} of ${limit} left in the subscription until ${resetsAt.slice(0, 10)}`);
  }
  lines.push(`A static size costs ${prices.static}, an animated one ${prices.animated}.`);
  context.terminal.result(found, lines);
}
