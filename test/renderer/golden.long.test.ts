import { SHAPES } from "#renderer/index.ts";
import { QUICK_SHAPES, testGoldens } from "./golden-tests.ts";

/** The tests of golden.test.ts in all other shapes. */

testGoldens(SHAPES.filter((shape) => !QUICK_SHAPES.includes(shape)));
