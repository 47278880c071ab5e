import { Pause } from "./gate.ts";
import type { World } from "./world.ts";

/** Result of an attempt that hung while another process acted. */
export interface HungAttempt {
  /** Whether the attempt reached the step at which it was to hang. */
  readonly didHang: boolean;
  /** Whether the attempt's message was acknowledged in the end. */
  readonly isAcknowledged: boolean;
  /** The process that ran `act`; its clock has the current time. */
  readonly other: World;
}

/** Delivers a message whose attempt hangs at a step, runs `act`, and then continues the attempt. */
export async function hangAttempt(
  world: World,
  message: World["messages"][number],
  { queue, step }: { readonly queue: string; readonly step: number },
  act: (other: World) => Promise<unknown>,
): Promise<HungAttempt> {
  const pause = new Pause(step);
  world.crash(pause);
  const hanging = world.deliver(message, queue);
  const didHang = await Promise.race([pause.reached.then(() => true), hanging.then(() => false)]);
  const other = world.another();
  await act(other);
  pause.release();
  return { didHang, isAcknowledged: await hanging, other };
}
