import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TSX = fileURLToPath(new URL('../../node_modules/tsx/dist/loader.mjs', import.meta.url))

interface Started {
  readonly child: ChildProcess
  readonly output: { stdout: string; stderr: string }
  readonly exit: Promise<number | null>
}

function start(script: string, argv: readonly string[], environment: Record<string, string> = {}): Started {
  const env = { PATH: '', HOME: tmpdir(), ...environment }
  const child = spawn(process.execPath, ['--import', TSX, `${ROOT}/src/bin/${script}.ts`, ...argv], {
    cwd: tmpdir(),
    env,
    stdio: 'pipe',
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => (output.stdout += chunk))
  child.stderr.on('data', (chunk) => (output.stderr += chunk))
  return { child, output, exit: once(child, 'close').then(([code]) => code as number | null) }
}

async function seen(started: Started, pattern: RegExp): Promise<string> {
  for (;;) {
    const found = pattern.exec(started.output.stderr)?.[1]
    if (found !== undefined) return found
    if (started.child.exitCode !== null) throw new Error(`ended: ${started.output.stderr}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

describe('the process', () => {
  it('prints and ends', async () => {
    const version = start('cli', ['--version'])
    expect(await version.exit).toBe(0)
    expect(version.output).toEqual({ stdout: '0.1.0\n', stderr: '' })
    const refused = start('cli', ['mrr', '--bogus'])
    expect(await refused.exit).toBe(2)
    expect(refused.output.stdout).toBe('')
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('serve ends in good order on %s', async (signal) => {
    const environment = {
      PLUMBLINE_DATABASE_URL: 'postgres://127.0.0.1:1/none',
      PLUMBLINE_STORE_URL: 'none',
      PLUMBLINE_SERVER_PORT: '0',
    }
    const started = start('serve', [], environment)
    const url = await seen(started, /answers at (\S+);/)
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' })
    expect((await fetch(`${url}/readyz`)).status).toBe(503)
    started.child.kill(signal)
    expect(await started.exit).toBe(0)
    expect(started.output.stdout).toBe('')
  })
})
