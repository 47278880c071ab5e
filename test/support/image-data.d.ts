/** What the Studio's types name of a browser, and neither Node.js nor workerd has (HTML Standard, "Pixel manipulation"). */
interface ImageData {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray<ArrayBuffer>;
  readonly colorSpace: "srgb" | "display-p3";
}
