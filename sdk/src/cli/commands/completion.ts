import type { Command, Option } from "commander";
import { CHOICES } from "../pack-input.ts";

/** Shell scripts that complete commands, options and values. The build writes the contracts and sizes into them. */

/** Filled in by the build (scripts/make/sdk/bundle-command.ts). */
declare const CATALOGUE: { readonly contractIds: readonly string[]; readonly sizeIds: readonly string[] };

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

/** A command with its options, including the global ones. */
interface Completed {
  readonly name: string;
  readonly about: string;
  readonly options: readonly { readonly flag: string; readonly about: string; readonly values: Values }[];
  /** Accepted values of the command's argument. */
  readonly values: readonly string[];
}

/** Null: any value, so the shell completes file names. False: a flag without a value. */
type Values = readonly string[] | null | false;

/** Accepted values by option; the commands validate with the same lists. */
const CHOSEN = new Map<string, readonly (string | number)[]>(
  Object.entries(CHOICES).map(([name, choices]) => [`--${name}`, choices]),
);

function valuesOf({ long, flags, argChoices }: Option): Values {
  if (!flags.includes("<")) return false;
  if (long === "--sizes") return ["all", ...CATALOGUE.sizeIds];
  if (long === "--contract") return CATALOGUE.contractIds;
  return argChoices ?? CHOSEN.get(long ?? "")?.map(String) ?? null;
}

/** Lists the program's commands with their options and values. */
function completedOf(program: Command): readonly Completed[] {
  return program.commands.map((command) => ({
    name: command.name(),
    about: command.description(),
    options: [...command.options, ...program.options].map((option) => ({
      flag: option.long ?? option.flags,
      about: option.description,
      values: valuesOf(option),
    })),
    values:
      command.name() === "sizes" ? CATALOGUE.contractIds : command.name() === "completion" ? SHELLS : [],
  }));
}

/** Returns the completion script of a shell. Users source it or save it in the shell's completion folder. */
export function completionScript(program: Command, shell: Shell): string {
  const commands = completedOf(program);
  return shell === "fish" ? fishScript(commands) : bashScript(commands, shell === "zsh");
}

/** Also the script for zsh, which emulates the completion of bash (`bashcompinit`). */
function bashScript(commands: readonly Completed[], isZsh: boolean): string {
  const flagCases = commands.map(
    ({ name, options, values }) =>
      `    ${name}) words="${[...values, ...options.map(({ flag }) => flag)].join(" ")}";;`,
  );
  const valued = new Map(
    commands.flatMap(({ options }) => options.map(({ flag, values }) => [flag, values] as const)),
  );
  const valueCases: string[] = [];
  const ofFiles: string[] = [];
  for (const [flag, values] of valued) {
    if (values === null) ofFiles.push(flag);
    else if (values !== false) valueCases.push(`    ${flag}) words="${values.join(" ")}"; lists=1;;`);
  }
  return `${isZsh ? "autoload -U +X bashcompinit && bashcompinit\n" : ""}_creative_packs() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words="" lists="" head=""
  case "$before" in
${valueCases.join("\n")}
    ${ofFiles.join("|")}) COMPREPLY=( $(compgen -f -- "$word") ); return;;
  esac
  if [ -z "$words" ]; then case "\${COMP_WORDS[1]}" in
${flagCases.join("\n")}
  esac; fi
  if [ "$COMP_CWORD" -eq 1 ]; then words="${commands.map(({ name }) => name).join(" ")}"; fi
  if [ -n "$lists" ]; then case "$word" in *,*) head="\${word%,*},"; word="\${word##*,}";; esac; fi
  COMPREPLY=( $(compgen -P "$head" -W "$words" -- "$word") )
}
complete -o default -F _creative_packs creative-packs
`;
}

const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

function fishScript(commands: readonly Completed[]): string {
  const lines = ["complete -c creative-packs -f"];
  for (const { name, about, options, values } of commands) {
    lines.push(`complete -c creative-packs -n __fish_use_subcommand -a ${name} -d ${quoted(about)}`);
    const used = `complete -c creative-packs -n '__fish_seen_subcommand_from ${name}'`;
    if (values.length > 0) lines.push(`${used} -a ${quoted(values.join(" "))}`);
    for (const option of options) {
      const value =
        option.values === false
          ? ""
          : option.values === null
            ? " -r -F"
            : ` -x -a ${quoted(option.values.join(" "))}`;
      lines.push(`${used} -l ${option.flag.slice(2)}${value} -d ${quoted(option.about)}`);
    }
  }
  return `${lines.join("\n")}\n`;
}
