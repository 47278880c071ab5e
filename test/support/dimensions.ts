/** Parses sizes such as "300x250 160x600". */
export const dimensions = (list: string): readonly (readonly [width: number, height: number])[] =>
  list.split(" ").map((one) => {
    const [width = Number.NaN, height = Number.NaN] = one.split("x").map(Number);
    return [width, height];
  });
