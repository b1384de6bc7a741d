import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { packageRoot } from '../../src/core/package-root.ts'
import { chromiumProgram } from '../support/product/chromium.ts'
import { median } from './measure.ts'

/**
 * Times `npm run demo` in installed checkouts, as in a fresh clone: no built page, an empty temporary directory. Checkouts take turns, so
 * that a busy machine is busy for all of them: `npx tsx test/bench/first-hour.ts [--against <folder of another checkout>] [--runs 3]`.
 * It prints medians in seconds. It removes `dist` of both.
 */
const run = promisify(execFile)
const { values } = parseArgs({ options: { against: { type: 'string' }, runs: { type: 'string', default: '3' } } })
const places = [...(values.against === undefined ? [] : [resolve(values.against)]), packageRoot()]

const MARKS = { answer: 'MRR on', served: 'Ctrl-C' }
const NUMBER = '.tile-value, .headline-value'
const PAGE_WAIT_MS = 300_000

const executablePath = chromiumProgram()
if (executablePath === undefined) throw new Error('there is no Chromium: set CHROMIUM_PATH')
const browser = await chromium.launch({ executablePath })

/** Seconds from the command to its first answer on a terminal, to the address, and to the first number in a browser. */
async function onTerminal(cwd: string, environment: NodeJS.ProcessEnv): Promise<number[]> {
  const begun = performance.now()
  const since = () => (performance.now() - begun) / 1_000
  const program = spawn('script', ['-qec', 'exec npm run demo -- --port 0', '/dev/null'], { cwd, env: environment })
  try {
    const seen = { text: '' }
    program.stdout.on('data', (chunk) => (seen.text += chunk))
    const answer = await seenAfter(program, seen, MARKS.answer, since)
    const served = await seenAfter(program, seen, MARKS.served, since)
    const [address = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(seen.text) ?? []
    const page = await browser.newPage()
    await page.goto(address)
    await page.waitForSelector(NUMBER, { timeout: PAGE_WAIT_MS })
    const shown = since()
    await page.close()
    return [answer, served, shown]
  } finally {
    program.stdin.write('\u0003')
    await once(program, 'close')
  }
}

async function seenAfter(program: ChildProcess, seen: { text: string }, mark: string, since: () => number): Promise<number> {
  while (!seen.text.includes(mark)) {
    if (program.exitCode !== null) throw new Error(seen.text)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return since()
}

/** Seconds of the clock and of the processor that the summary alone takes, with all processes. */
async function summary(cwd: string, env: NodeJS.ProcessEnv): Promise<number[]> {
  const command = "TIMEFORMAT='%R %U %S'; time npm run --silent demo -- --once >/dev/null 2>&1"
  const { stderr } = await run('bash', ['-c', command], { cwd, env })
  const [clock = 0, user = 0, system = 0] = stderr.trim().split(' ').map(Number)
  return [clock, user + system]
}

const rows = new Map<string, number[][]>(places.map((place) => [place, []]))
for (let round = 0; round < Number(values.runs); round++)
  for (const place of places) {
    const directory = await mkdtemp(join(tmpdir(), 'first-hour-'))
    // biome-ignore lint/style/noProcessEnv: the programs that are measured get the environment of this one
    const environment = { ...process.env, TMPDIR: directory }
    const fresh = () => rm(join(place, 'dist'), { recursive: true, force: true })
    await fresh()
    const alone = await summary(place, environment)
    await rm(directory, { recursive: true })
    environment.TMPDIR = await mkdtemp(join(tmpdir(), 'first-hour-'))
    await fresh()
    rows.get(place)?.push([...alone, ...(await onTerminal(place, environment))])
    await rm(environment.TMPDIR, { recursive: true, force: true })
  }
await browser.close()

process.stdout.write(
  '| Checkout | summary alone | its processor time | first answer on a terminal | address | first number on the page |\n',
)
for (const [place, measured] of rows) {
  const cells = [0, 1, 2, 3, 4].map((at) => median(measured.map((row) => row[at] ?? 0)).toFixed(1))
  process.stdout.write(`| ${place} | ${cells.join(' | ')} |\n`)
}
