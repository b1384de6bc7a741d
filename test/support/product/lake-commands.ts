import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { productCommand } from './product-command.ts'

/** Processes of the product over a lake of the recording, and their configurations. */
export interface LakeCommands {
  /** Writes a configuration. `lake` has further lines of its section. */
  configure(name: string, url: string, lake: readonly string[]): string
  start(...words: readonly string[]): Promise<ChildProcess & { readonly stderr: NodeJS.ReadableStream }>
  /** Runs a command to its end. */
  run(...words: readonly string[]): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>
  /** Kills what runs, and removes the configurations. */
  close(): void
}

/** Opens a folder for them. */
export function openLakeCommands(): LakeCommands {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-lake-'))
  const children: ChildProcess[] = []
  const start = async (...words: readonly string[]) => {
    const args = [...(await productCommand('cli')), ...words]
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    children.push(child)
    return child
  }
  return {
    configure(name, url, lake) {
      const file = join(folder, `${name}.toml`)
      writeFileSync(
        file,
        `[database]
url = "${url}"
[store]
url = "none"
[connector]
type = "killbill"
tenant = "all"
[definitions]
base_currency = "USD"
[clock]
now = "2026-11-21T00:00:00Z"
[lake]
${lake.join('\n')}
max_skew_seconds = 3600
`,
      )
      return file
    },
    start,
    async run(...words) {
      const child = await start(...words)
      const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
      return { code, stdout, stderr }
    },
    close() {
      for (const child of children) if (child.exitCode === null) child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
