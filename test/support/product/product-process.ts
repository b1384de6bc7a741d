import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loneRequest } from './lone-request.ts'
import { productCommand } from './product-command.ts'

const PAGE_KIB = 4

/** The product in a separate process. */
export interface ProductProcess {
  readonly child: ChildProcess
  readonly output: { stdout: string; stderr: string }
  readonly exit: Promise<number | null>
  isAlive(): boolean
  /** Bytes of memory that it holds; it must live. */
  resident(): number
}

/**
 * Runs a script of src/app/bin, or the arguments of Node that run one, with nothing of this process's environment. Its directory for caches is removed
 * when it ends.
 */
export async function startProduct(
  script: 'cli' | 'serve' | readonly string[],
  argv: readonly string[],
  environment: Record<string, string> = {},
): Promise<ProductProcess> {
  const caches = mkdtempSync(join(tmpdir(), 'pl-caches-'))
  const env = { PATH: '', HOME: tmpdir(), XDG_CACHE_HOME: caches, ...environment }
  const program = typeof script === 'string' ? await productCommand(script) : script
  const child = spawn(process.execPath, [...program, ...argv], {
    cwd: tmpdir(),
    env,
    stdio: 'pipe',
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => (output.stdout += chunk))
  child.stderr.on('data', (chunk) => (output.stderr += chunk))
  return {
    child,
    output,
    exit: once(child, 'close').then(([code]) => {
      rmSync(caches, { recursive: true, force: true })
      return code as number | null
    }),
    isAlive: () => !hasEnded(child),
    resident: () => residentBytes(child.pid),
  }
}

/** Waits until standard error has the pattern and gives its first group. */
export async function seenInErrors(
  { child, output }: Pick<ProductProcess, 'child' | 'output'>,
  pattern: RegExp,
): Promise<string> {
  for (;;) {
    const found = pattern.exec(output.stderr)?.[1]
    if (found !== undefined) return found
    if (hasEnded(child)) throw new Error(endedText(child, output.stderr))
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** A service that answers, and its process. */
export interface ServiceProcess {
  readonly url: string
  readonly process: ProductProcess
  /** Bytes of memory that it holds. */
  resident(): number
  stop(): Promise<void>
}

/** Starts the service on a free port and waits until its cache is filled. `program`: as startProduct takes it. */
export async function serveReady(
  environment: Record<string, string>,
  program: Parameters<typeof startProduct>[0] = 'serve',
): Promise<ServiceProcess> {
  const started = await startProduct(program, [], { PLUMBLINE_SERVER_PORT: '0', ...environment })
  const stop = async () => {
    started.child.kill('SIGTERM')
    await started.exit
  }
  try {
    const url = await seenInErrors(started, /running at (\S+);/)
    for (;;) {
      const { status, checks } = await readiness(url).catch((error: unknown) => {
        throw hasEnded(started.child) ? new Error(endedText(started.child, started.output.stderr)) : error
      })
      if (checks.cache?.status === 'failed') throw new Error(`the cache was not filled: ${started.output.stderr}`)
      if (status === 'ok' && checks.cache?.status === 'ready') break
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    return { url, process: started, resident: started.resident, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function readiness(url: string): Promise<Readiness> {
  return JSON.parse((await loneRequest(`${url}/readyz`)).body) as Readiness
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

function endedText({ exitCode, signalCode }: ChildProcess, errors: string): string {
  return `ended with ${exitCode ?? signalCode}: ${errors}`
}

interface Readiness {
  readonly status: string
  readonly checks: { readonly cache?: { readonly status: string } }
}

function residentBytes(pid: number | undefined): number {
  const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')
  return Number(pages) * PAGE_KIB * 1024
}
