import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { packageRoot } from '../../src/core/package-root.ts'
import { median } from './measure.ts'

/**
 * Times the start of built programs, by turns so that a busy machine is busy for all of them: `npm run build && npx tsx test/bench/start.ts
 * [--against <folder of another build>] [--database <url>] [--runs 20]`. Prints medians in milliseconds, of the clock and of the
 * processor, and their ratio.
 */
const run = promisify(execFile)
const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    database: { type: 'string' },
    tenant: { type: 'string', default: 'alpha' },
    runs: { type: 'string', default: '20' },
  },
})

const places = [...(values.against === undefined ? [] : [resolve(values.against)]), packageRoot()]
const commands = [
  ['--version'],
  ['--help'],
  ['mrr', 'breakdown', '--help'],
  ['mrr', '--bogus'],
  ...(values.database === undefined ? [] : [['mrr', '--dimension', 'currency']]),
]
const nothing = [process.execPath, '--eval', '0']

interface Times {
  readonly clock: number
  readonly processor: number
}

async function timed(program: readonly string[], cwd: string): Promise<Times> {
  // The shell tells what its child took of the processor.
  const words = program.map((word) => `'${word}'`).join(' ')
  const script = `TIMEFORMAT='%R %U %S'; time ${words} >/dev/null 2>&1`
  const environment = {
    PATH: '',
    HOME: cwd,
    PLUMBLINE_STORE_URL: 'none',
    ...(values.database === undefined
      ? {}
      : { PLUMBLINE_DATABASE_URL: values.database, PLUMBLINE_CONNECTOR_TENANT: values.tenant }),
  }
  const { stderr } = await run('/bin/bash', ['-c', script], { cwd, env: environment }).catch((error: { stderr: string }) => error)
  const [clock = 0, user = 0, system = 0] = stderr.trim().split('\n').at(-1)?.split(' ').map(Number) ?? []
  return { clock: clock * 1_000, processor: (user + system) * 1_000 }
}

function row(name: string, measured: readonly (readonly Times[])[]): string {
  const cells = measured.map((times) => {
    const [clock, processor] = (['clock', 'processor'] as const).map((kind) => median(times.map((each) => each[kind])))
    return { clock: clock ?? 0, processor: processor ?? 0 }
  })
  const shown = cells.map(({ clock, processor }) => `${clock.toFixed(0)} | ${processor.toFixed(0)}`)
  const [before, after] = cells
  const ratio = before === undefined || after === undefined ? '' : ` | ${(before.processor / after.processor).toFixed(1)}`
  return `| ${name} | ${shown.join(' | ')}${ratio} |\n`
}

const cwd = await mkdtemp(join(tmpdir(), 'plumbline-start-'))
try {
  const bare = { name: 'node alone', programs: places.map(() => nothing) }
  const asked = commands.map((words) => ({
    name: `\`${words.join(' ')}\``,
    programs: places.map((place) => [process.execPath, join(place, 'dist', 'src', 'app', 'bin', 'cli.js'), ...words]),
  }))
  for (const { name, programs } of [bare, ...asked]) {
    const measured: Times[][] = programs.map(() => [])
    for (let count = 0; count < Number(values.runs); count++)
      for (const [index, program] of programs.entries()) measured[index]?.push(await timed(program, cwd))
    process.stdout.write(row(name, measured))
  }
} finally {
  await rm(cwd, { recursive: true })
}
