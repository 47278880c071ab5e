import type { Motion } from "../catalogue/types.ts";

/** Credits per selected size (API §1.4). */
export const CREDITS_PER_SIZE: Readonly<Record<Motion, number>> = { static: 1, animated: 3 };

/** Cost of a job in credits. */
export const costOfPack = (motion: Motion, sizeCount: number): number => CREDITS_PER_SIZE[motion] * sizeCount;
