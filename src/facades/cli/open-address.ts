import { spawn } from 'node:child_process'
import type { Io } from './io.ts'

/** What shows an address in the user's browser, by platform; elsewhere as on Linux. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [program: string, ...words: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Shows an address in a browser. Where there is none that is said, and the service goes on. */
export function openAddress(address: string, io: Io): Promise<void> {
  const [program, ...words] = OPENERS[process.platform] ?? ['xdg-open']
  return new Promise((resolve) => {
    const child = spawn(program, [...words, address], { detached: true, stdio: 'ignore' })
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
    child.once('error', () => {
      io.stderr.write(`There is no browser to be opened here; the address is ${address}\n`)
      resolve()
    })
  })
}
