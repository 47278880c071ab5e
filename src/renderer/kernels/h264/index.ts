/** Width and height of the block of pixels that share a chroma sample. */
const BLOCK: i32 = 2;
/**
 * BT.709 in limited range (16..235, 16..240): coefficients in 65,536ths for 8-bit RGB, from Kr 0.2126 and Kb 0.0722.
 */
const Y_R: i32 = 11_966;
const Y_G: i32 = 40_254;
const Y_B: i32 = 4_064;
const U_R: i32 = -6_596;
const U_G: i32 = -22_189;
const U_B: i32 = 28_784;
const V_R: i32 = 28_784;
const V_G: i32 = -26_145;
const V_B: i32 = -2_639;
const HALF: i32 = 32_768;

/** Converts opaque RGBA pixels to three consecutive `yuv420p` planes. Width and height are even. */
export function toPlanes(rgba: usize, width: i32, height: i32, planes: usize): void {
  const chroma: usize = planes + <usize>(width * height);
  const halfWidth = width / BLOCK;
  const second: usize = <usize>((width * height) / (BLOCK * BLOCK));
  for (let top = 0; top < height; top += BLOCK) {
    for (let left = 0; left < width; left += BLOCK) {
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let row = top; row < top + BLOCK; row += 1) {
        for (let column = left; column < left + BLOCK; column += 1) {
          const at: usize = rgba + ((<usize>(row * width + column)) << 2);
          const r = <i32>load<u8>(at);
          const g = <i32>load<u8>(at, 1);
          const b = <i32>load<u8>(at, 2);
          store<u8>(
            planes + <usize>(row * width + column),
            16 + ((Y_R * r + Y_G * g + Y_B * b + HALF) >> 16),
          );
          red += r;
          green += g;
          blue += b;
        }
      }
      const at: usize = chroma + <usize>((top / BLOCK) * halfWidth + left / BLOCK);
      store<u8>(at, 128 + ((U_R * red + U_G * green + U_B * blue + BLOCK * HALF * 2) >> 18));
      store<u8>(at + second, 128 + ((V_R * red + V_G * green + V_B * blue + BLOCK * HALF * 2) >> 18));
    }
  }
}
