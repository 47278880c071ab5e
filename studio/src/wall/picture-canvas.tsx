import { useLayoutEffect, useRef } from "react";

interface PictureCanvasProps {
  /** Null leaves the place empty. */
  readonly picture: ImageData | null;
  /** What is on it, for who cannot see it. */
  readonly alt: string;
}

/** Pixels on a canvas that fills its place. */
export function PictureCanvas({ picture, alt }: PictureCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    if (canvas.current === null || picture === null) return;
    if (canvas.current.width !== picture.width) canvas.current.width = picture.width;
    if (canvas.current.height !== picture.height) canvas.current.height = picture.height;
    canvas.current.getContext("2d")?.putImageData(picture, 0, 0);
  }, [picture]);
  return <canvas ref={canvas} role="img" aria-label={alt} className="absolute inset-0 size-full" />;
}
