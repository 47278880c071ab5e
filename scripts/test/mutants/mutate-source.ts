import { readFile } from "node:fs/promises";
import { type ESTree, type Plugin, parseSync, Visitor } from "vite";

/** A change to a source that a test should notice. */
export interface Mutation {
  /** Offsets of the replaced text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Each operator and its mutants: off-by-one bounds, inverted comparisons and conditions. */
const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  "<": ["<=", ">"],
  "<=": ["<", ">"],
  ">": [">=", "<"],
  ">=": [">", "<"],
  "===": ["!=="],
  "!==": ["==="],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "&&": ["||"],
  "||": ["&&"],
};

type Pair = ESTree.BinaryExpression | ESTree.LogicalExpression;

/**
 * All mutations of a TypeScript source in order: changed operators, negated conditions, incremented numbers, flipped
 * booleans, removed list elements (statements of a batch, guards) and removed calls.
 */
export function findMutations(source: string, fileName: string): readonly Mutation[] {
  const { program, errors } = parseSync(fileName, source);
  if (errors.length > 0) throw new Error(`${fileName} does not parse: ${errors[0]?.message}`);
  const found: Mutation[] = [];
  const add = (start: number, end: number, text: string) => found.push({ start, end, text });

  const changeOperator = ({ left, right, operator }: Pair): void => {
    const between = source.slice(left.end, right.start);
    const at = left.end + between.indexOf(operator);
    for (const text of OPERATORS[operator] ?? []) add(at, at + operator.length, text);
  };
  const negate = ({ start, end }: ESTree.Expression): void =>
    void add(start, end, `!(${source.slice(start, end)})`);

  new Visitor({
    BinaryExpression: changeOperator,
    LogicalExpression: changeOperator,
    IfStatement: ({ test }) => negate(test),
    ConditionalExpression: ({ test }) => negate(test),
    ArrayExpression: ({ elements }) => {
      for (const element of elements) {
        if (element !== null) add(element.start, element.end, "...[]");
      }
    },
    ExpressionStatement: ({ start, end, expression }) => {
      if (expression.type !== "Literal") add(start, end, ";");
    },
    Literal: ({ start, end, value }) => {
      if (typeof value === "number") add(start, end, String(value + 1));
      if (typeof value === "boolean") add(start, end, String(!value));
    },
  }).visit(program);
  return found.sort((a, b) => a.start - b.start || a.end - b.end);
}

export const applyMutation = (source: string, { start, end, text }: Mutation): string =>
  source.slice(0, start) + text + source.slice(end);

/** A mutation of one file, in the environment variable `MUTANT` of a Vitest process. */
export interface Mutant extends Mutation {
  /** Path from the root of the clone, such as `src/domains/keys/secret.ts`. */
  readonly path: string;
}

/** Applies the mutant of the environment while Vitest loads its source, so that no file on disk changes. */
export function mutantPlugin(environment: NodeJS.ProcessEnv): readonly Plugin[] {
  if (environment.MUTANT === undefined) return [];
  const mutant: Mutant = JSON.parse(environment.MUTANT);
  return [
    {
      name: "mutant",
      enforce: "pre",
      load: async (id) =>
        id.endsWith(`/${mutant.path}`) ? applyMutation(await readFile(id, "utf8"), mutant) : null,
    },
  ];
}
