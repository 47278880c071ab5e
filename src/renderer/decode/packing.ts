/**
 * How decoded pixels are kept: four bytes each, or three of a picture that its file calls opaque. What turns out to be
 * opaque only once it is decoded stays in four.
 */
export type Packing = "rgba" | "rgb_if_opaque";
