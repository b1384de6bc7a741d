import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { childCommand } from '../support/product/child-program.ts'

const CHILD = new URL('abandoned-files-child.ts', import.meta.url).pathname
// As in a separate container, where the same process id is another process.
const APART = ['unshare', '--pid', '--fork', '--kill-child']

let directory: string
const children: ChildProcess[] = []

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-left-'))
})

afterEach(async () => {
  await Promise.all(children.splice(0).map(kill))
  rmSync(directory, { recursive: true, force: true })
})

/** Starts the child and waits until it says the word. */
async function start(mode: 'hold' | 'serve', word: string, around: readonly string[] = []): Promise<ChildProcess> {
  const [command = '', ...args] = [...around, process.execPath, ...(await childCommand(CHILD)), mode]
  // biome-ignore lint/style/noProcessEnv: the child gets the environment of this process, and its own place for files
  const env = { ...process.env, TMPDIR: directory }
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], env })
  children.push(child)
  for await (const line of createInterface({ input: child.stdout })) if (line === word) return child
  throw new Error(`the child ended before it said ${word}`)
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

const left = () =>
  readdirSync(directory)
    .filter((name) => name.startsWith('plumbline-'))
    .map((name) => name.replace(/-[^-]*$/, ''))
    .sort()

/** A directory that was left behind: with a mark of another kernel that is some hours old, or with none. */
function leave(name: string, mark: string | undefined, age: number): void {
  mkdirSync(join(directory, name))
  if (mark === undefined) return
  const file = join(directory, name, mark)
  writeFileSync(file, '')
  const then = new Date(Date.now() - age * 3_600_000)
  utimesSync(file, then, then)
}

it('temporary directories of dead processes are gone after the next start, and after a day where the machine was restarted; others stay', async () => {
  const canPart = spawnSync(APART[0] ?? '', [...APART.slice(1), 'true']).status === 0
  const killed = await start('hold', 'held')
  const stopped = await start('hold', 'held')
  const apart = await start('hold', 'held', canPart ? APART : [])
  stopped.kill('SIGSTOP')
  await kill(killed)
  expect(left()).toEqual([...Array(3).fill('plumbline-cache'), ...Array(3).fill('plumbline-upload')])
  await start('serve', 'serving')
  // Those of the living stay, stopped or in another namespace.
  expect(left()).toEqual([...Array(2).fill('plumbline-cache'), ...Array(2).fill('plumbline-upload')])
  await kill(stopped)
  await kill(apart)
  // From before a restart of the machine, and without a mark.
  leave('plumbline-cache-old', 'alive.00000000', 48)
  leave('plumbline-cache-young', 'alive.00000000', 2)
  leave('plumbline-upload-unknown', undefined, 0)
  leave('else-old', 'alive.00000000', 48)
  await start('serve', 'serving')
  const names = readdirSync(directory).filter((name) => !name.startsWith('tsx'))
  expect(names.sort()).toEqual(['else-old', 'plumbline-cache-young', 'plumbline-upload-unknown'])
})
