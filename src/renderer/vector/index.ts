export { type Extent, pathExtent } from "./bounds.ts";
export { emptyMask, fillPath, type Mask } from "./fill.ts";
export { type Path, PathBuilder, VERB } from "./path.ts";
export { ellipse, roundedRect } from "./shapes.ts";
