import { homedir } from 'node:os'

/** The parts of a process that the configuration depends on. */
export interface ProcessInputs {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly home: string | undefined
}

/** Environment, working directory and home directory of this process. */
export function processInputs(): ProcessInputs {
  // biome-ignore lint/style/noProcessEnv: the only place that reads it
  return { environment: process.env, cwd: process.cwd(), home: homedir() }
}
