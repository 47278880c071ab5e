export { type Extent, pathExtent } from "./bounds.ts";
export { emptyMask, fillPath, type Mask } from "./fill.ts";
export { type Path, PathBuilder } from "./path.ts";
export { circle, ellipse, polygon, roundedFrame, roundedRect } from "./shapes.ts";
