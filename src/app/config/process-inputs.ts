import { homedir } from 'node:os'
import type { ConfigInputs } from './config.ts'

/** Environment, working and home directory of this process. */
export function processInputs(): Pick<ConfigInputs, 'environment' | 'cwd' | 'home'> {
  // biome-ignore lint/style/noProcessEnv: the only place that reads it
  return { environment: process.env, cwd: process.cwd(), home: homedir() }
}
