/** Status codes of `run`. */
export const READY: i32 = 0;
export const NEEDS_INPUT: i32 = 1;
export const DAMAGED: i32 = 2;
export const TOO_COMPLEX: i32 = 3;
/** Only inside `run`: continue with the next phase. */
export const GO_ON: i32 = 4;
