/** A browser type that the Studio uses, missing in Node.js and workerd (HTML Standard, "Pixel manipulation"). */
interface ImageData {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray<ArrayBuffer>;
  readonly colorSpace: "srgb" | "display-p3";
}

declare var ImageData: new (data: Uint8ClampedArray<ArrayBuffer>, width: number, height: number) => ImageData;
declare var OffscreenCanvas: new (
  width: number,
  height: number,
) => {
  getContext(kind: "2d"): { putImageData(pixels: ImageData, x: number, y: number): void } | null;
  convertToBlob(options: { readonly type: string; readonly quality: number }): Promise<Blob>;
};
