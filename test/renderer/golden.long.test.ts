import { SHAPES } from "#renderer/index.ts";
import { looksAsAccepted, QUICK_SHAPES } from "./accepted-looks.ts";

/** As golden.test.ts, in all other shapes. */

looksAsAccepted(SHAPES.filter((shape) => !QUICK_SHAPES.includes(shape)));
