import { Scanner } from "./scanner.ts";
import type { WorkBudget } from "./work-budget.ts";

/** The numbers in a text, whatever stands between them, at most `most`. */
export function firstNumbers(text: string, most: number, steps: WorkBudget): readonly number[] {
  const scanner = new Scanner(text, steps);
  const numbers: number[] = [];
  while (!scanner.isAtEnd && numbers.length < most) {
    const number = scanner.takeNumber();
    if (number === null) scanner.skip(1);
    else numbers.push(number);
  }
  return numbers;
}

/** The sum of the absolute values of all numbers in a text; keeps none of them. */
export function sumOfNumbers(text: string, steps: WorkBudget): number {
  const scanner = new Scanner(text, steps);
  let sum = 0;
  while (!scanner.isAtEnd) {
    const number = scanner.takeNumber();
    if (number === null) scanner.skip(1);
    else sum += Math.abs(number);
  }
  return sum;
}
