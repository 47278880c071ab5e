export { pathExtent } from "./bounds.ts";
export { emptyMask, fillPath, type Mask } from "./fill.ts";
export { ellipse, type Path, PathBuilder, roundedRect, VERB } from "./path.ts";
