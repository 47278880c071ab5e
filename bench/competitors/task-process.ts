import { fork } from "node:child_process";
import { cpuMsOf } from "../clock/process-figures.ts";

/** A Node.js process that handles one task at a time, so that its CPU time is that of the task. */
export interface TaskProcess {
  readonly cpuMs: () => number;
  /** Sends a task and resolves to its result. Throws if the task fails. */
  readonly ask: <Answer>(task: unknown) => Promise<Answer>;
  readonly stop: () => void;
}

export function startProcess(path: string): TaskProcess {
  const child = fork(path, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${path} could not be started`);
  return {
    cpuMs: () => cpuMsOf(pid),
    ask: <Answer>(task: unknown) =>
      new Promise<Answer>((resolve, reject) => {
        const onExit = () => reject(new Error(`${path} ended`));
        child.once("exit", onExit);
        child.once("message", (answer: Answer & { readonly failure?: string }) => {
          child.off("exit", onExit);
          if (answer.failure === undefined) resolve(answer);
          else reject(new Error(answer.failure));
        });
        child.send(task as object);
      }),
    stop: () => child.kill(),
  };
}
