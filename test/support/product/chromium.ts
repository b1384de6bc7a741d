import { existsSync } from 'node:fs'

const USUAL = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Where Chromium is on this machine: CHROMIUM_PATH, else a usual place; undefined where there is none. */
export function chromiumProgram(): string | undefined {
  // biome-ignore lint/style/noProcessEnv: the run's own switches, no product configuration
  const named = process.env['CHROMIUM_PATH']
  return [...(named === undefined ? [] : [named]), ...USUAL].find((path) => existsSync(path))
}
