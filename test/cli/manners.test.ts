import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeOutline } from '../../src/app/bin/outline.ts'
import { AppError, ConfigurationError } from '../../src/core/errors.ts'
import { answerText } from '../../src/facades/cli/answer-text.ts'
import { readCommandLine } from '../../src/facades/cli/args.ts'
import type { CommandOutline } from '../../src/facades/cli/command.ts'
import { candidateLines } from '../../src/facades/cli/completion.ts'
import { manualPage } from '../../src/facades/cli/help.ts'
import { showsColor } from '../../src/facades/cli/io.ts'
import { runCli } from '../../src/facades/cli/main.ts'
import { showElapsed } from '../../src/facades/cli/progress.ts'
import { wordsOf } from '../support/product/documented-blocks.ts'
import { answer, recordingProduct, run } from './recording-product.ts'

const ask = (line: string, ...rest: Parameters<typeof run> extends [unknown, ...infer R] ? R : never) =>
  run(line.split(' '), ...rest)
const outline = await makeOutline()

function commands({ subCommands = [] }: CommandOutline): readonly CommandOutline[] {
  return subCommands.flatMap((command) => [command, ...commands(command)])
}

describe('a result in a file', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plumbline-result-'))
    return () => rm(folder, { recursive: true, force: true })
  })
  const rows = answer([{ period: '2025-01-01', mrr: 5 }], ['period', 'mrr'])
  const engine = { query: () => Promise.resolve(rows) }

  it('has the form that its name says, is there as a whole, and keeps the rights of the one it replaces', async () => {
    const path = join(folder, 'a.csv')
    await writeFile(path, 'before')
    await chmod(path, 0o640)
    expect(await ask(`mrr -o ${path}`, engine)).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(await readFile(path, 'utf8')).toBe('period,mrr\r\n2025-01-01,5\r\n')
    expect((await stat(path)).mode & 0o777).toBe(0o640)
    await ask(`mrr --output=${join(folder, 'a.JSON')}`, engine)
    expect(await readFile(join(folder, 'a.JSON'), 'utf8')).toBe('[{"period":"2025-01-01","mrr":5}]\n')
    await ask(`mrr --format json -o ${join(folder, 'b.csv')}`, engine)
    expect(await readFile(join(folder, 'b.csv'), 'utf8')).toBe('[{"period":"2025-01-01","mrr":5}]\n')
    await ask(`mrr -o ${join(folder, 'a.txt')}`, engine)
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toContain('mrr (USD)')
    expect((await readdir(folder)).sort()).toEqual(['a.JSON', 'a.csv', 'a.txt', 'b.csv'])
    expect(await ask('mrr -o -')).toMatchObject({ code: 0, stdout: '171.33 USD\n' })
  })

  it('cannot have the ending of a form that there is not, but for a form that is named', async () => {
    const refused = await ask(`mrr -o ${join(folder, 'a.pdf')}`, engine)
    expect(refused).toMatchObject({ code: 2, stdout: '', calls: [] })
    expect(refused.stderr).toContain('.pdf is not a supported format; use .json, .csv, .xlsx or .txt')
    expect(await ask(`mrr --json -o ${join(folder, 'a.jsonl')}`, engine)).toMatchObject({ code: 0 })
    expect(await readdir(folder)).toEqual(['a.jsonl'])
  })

  it('is what it was where the request fails', async () => {
    const path = join(folder, 'a.json')
    await writeFile(path, 'before')
    const failing = { query: () => Promise.reject(new AppError('query_timeout', 'Too slow.')) }
    expect(await ask(`mrr -o ${path}`, failing)).toMatchObject({ code: 4, stdout: '' })
    expect(await readFile(path, 'utf8')).toBe('before')
    expect(await readdir(folder)).toEqual(['a.json'])
  })

  it('cannot be a directory, nor in one that is not there, and nothing is asked then', async () => {
    await mkdir(join(folder, 'a.csv'))
    const refused = await ask(`mrr -o ${join(folder, 'a.csv')}`)
    expect(refused).toMatchObject({ code: 2, stdout: '', calls: [] })
    expect(refused.stderr).toMatch(/^error: cannot write .*a\.csv: it is a directory; give the path of a file\n/)
    expect(await ask(`mrr -o ${join(folder, 'no', 'a.csv')}`)).toMatchObject({ code: 2, calls: [] })
    expect((await ask(`mrr -o ${join(folder, 'b')}/`)).code).toBe(2)
    expect((await ask('serve -o a.txt')).stderr).toContain('option --output does not apply to "plumbline serve"')
  })

  it('--json is --format json, and may not contradict it', async () => {
    expect((await ask('mrr --json', engine)).stdout).toBe('[{"period":"2025-01-01","mrr":5}]\n')
    expect(await ask('mrr --json --format csv')).toMatchObject({ code: 2, calls: [] })
    const failing = { query: () => Promise.reject(new AppError('query_timeout', 'Too slow.')) }
    expect(JSON.parse((await ask('mrr --json', failing)).stderr)).toMatchObject({ code: 'query_timeout' })
  })
})

describe('help', () => {
  it.each([
    ['rows', '--to=<set> Definition set at which the bridge ends'],
    ['bridge', '--to=<set> Definition set at which the bridge ends'],
    ['fx import', '--to=<currency> Currency to convert euro rates into; default: the base currency'],
    ['keys create', '--name=<text> Name of the key'],
    ['segments create', '--name=<text> Name of the segment'],
    ['expenses import', '--source=<name> Name of the books of the file'],
    ['backfill', '--source=<name> Type of the sources, such as quickbooks (Required)'],
  ])('%s has its own text for an option of several commands, also in the manual and in completion', async (name, text) => {
    expect((await ask(`${name} --help`)).stdout.replaceAll(/\s+/g, ' ')).toContain(text)
    const [, option = '', hint = '', words = ''] = /^--(\w+)=<(\w+)> ([^(]*\w)/.exec(text) ?? []
    expect(candidateLines(['__complete', ...name.split(' '), `--${option}`], outline)).toContain(`--${option}\t${words}\n`)
    const [, own = ''] = manualPage(outline, '1.2.3').split(new RegExp(`^\\.SS ${name}\\b`, 'm'))
    expect(own.split('.SS ')[0]).toContain(`\\-\\-${option}\\fR \\fI${hint}\\fR\n${words}.\n`)
  })

  it('has examples that the command line takes, and the names to group by', async () => {
    const described = commands(outline.root)
    const examples = described.flatMap((command) => command.examples ?? [])
    expect(examples.length).toBeGreaterThan(30)
    for (const example of examples) {
      expect(['run', 'help'], example).toContain(readCommandLine(wordsOf(example), outline).kind)
    }
    const help = (await ask('help mrr breakdown')).stdout
    expect(help).toBe((await ask('mrr breakdown --help')).stdout)
    expect(help).toMatch(/DIMENSIONS\n\n {2}source, [\s\S]*plan_id[\s\S]*EXAMPLES\n\n {2}plumbline mrr breakdown\n/)
    expect((await ask('help')).stdout).toBe((await ask('--help')).stdout)
    expect(await ask('help mrr brekdown')).toMatchObject({ code: 2, stdout: '' })
  })

  it('the manual page names every command and every option, and no line begins by accident with a request to the formatter', () => {
    const page = manualPage(outline, '1.2.3')
    expect(page).toMatch(/[^\n]\n$/)
    const plain = page.replaceAll('\\-', '-')
    for (const command of commands(outline.root).filter(({ runs }) => runs)) {
      expect(plain).toMatch(new RegExp(`^\\.SS ${command.name}( [<[].*)?$`, 'm'))
      for (const option of command.options) expect(plain).toContain(`--${option}\\fR`)
    }
    expect(
      page.split('\n').filter((line) => /^[.']/.test(line) && !/^\.(TH|SH|SS|TP|PP|B|I|BI|nf|fi|RS|RE)\b/.test(line)),
    ).toEqual([])
  })
})

describe('words that may come next', () => {
  const words = (...line: readonly string[]) =>
    candidateLines(['__complete', ...line], outline)
      .split('\n')
      .flatMap((candidate) => candidate.split('\t')[0] || [])

  it.each([
    [['chu'], ['churn']],
    [['mrr', 'b'], ['breakdown']],
    [
      ['mrr', '--dimension', 'plan_'],
      ['plan_id', 'plan_name', 'plan_interval'],
    ],
    [
      ['mrr', '--dimension=plan_i'],
      ['--dimension=plan_id', '--dimension=plan_interval'],
    ],
    [['mrr', '--dimension', '=', 'plan_id'], ['plan_id']],
    [['mrr', '--filter', 'curr'], ['currency=']],
    [['mrr', '--interval', 'w'], ['week']],
    [['mrr', '--format', 'j'], ['json']],
    [['mrr', '--form'], ['--format']],
    [['mrr', '--format', 'json', '--form'], []],
    [['mrr', '--config', ''], [':files']],
    [['-o', ''], [':files']],
    [['explain', 'net_rev'], ['net_revenue_retention']],
    [['fields', 'usa'], ['usage_revenue']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['help', 'mrr', 'wat'], ['waterfall']],
    [
      ['grants', '--dialect', 'm'],
      ['mysql', 'mariadb'],
    ],
  ])('%j', (line, expected) => expect(words(...line)).toEqual(expected))

  it('is answered without asking anything', async () => {
    const outcome = await run(['__complete', 'mrr', 'comp'])
    expect(outcome).toMatchObject({ code: 0, stderr: '', calls: [] })
    expect(outcome.stdout).toMatch(/^components\t\S/)
    expect(await ask('completion tcsh')).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('on a terminal', () => {
  async function onTerminal(line: string, engine: Parameters<typeof recordingProduct>[1] = {}) {
    const printed = { stdout: '', stderr: '' }
    const output = (name: keyof typeof printed) => ({
      write: (content: string | Uint8Array) => (printed[name] += content),
      isTTY: true,
      color: true,
    })
    const io = { stdout: output('stdout'), stderr: output('stderr'), stop: new AbortController().signal }
    const code = await runCli(line.split(' '), io, recordingProduct([], engine))
    return { code, ...printed }
  }
  const series = answer(
    [
      { period: '2025-01-01', mrr: 100 },
      { period: '2025-02-01', mrr: 200 },
    ],
    ['period', 'mrr'],
  )

  it('JSON is indented, a series has bars, mistakes are red', async () => {
    const engine = { query: () => Promise.resolve(series) }
    expect((await onTerminal('mrr --json', engine)).stdout).toBe(`${JSON.stringify(series.data, null, 2)}\n`)
    const lines = (await onTerminal('mrr', engine)).stdout.split('\n')
    expect(lines.slice(1, 3)).toEqual([`2025-01-01       1.00  ${'█'.repeat(12)}`, `2025-02-01       2.00  ${'█'.repeat(24)}`])
    expect((await onTerminal('mrr --bogus')).stderr).toContain('\u001b[31merror:\u001b[39m unknown option')
  })

  it('styles go by NO_COLOR, FORCE_COLOR and the kind of terminal', () => {
    const terminal = { isTTY: true }
    expect(showsColor(terminal, {})).toBe(true)
    expect(showsColor(terminal, { NO_COLOR: '1' })).toBe(false)
    expect(showsColor(terminal, { NO_COLOR: '' })).toBe(true)
    expect(showsColor(terminal, { TERM: 'dumb' })).toBe(false)
    expect(showsColor(terminal, { FORCE_COLOR: '0' })).toBe(false)
    expect(showsColor({}, {})).toBe(false)
    expect(showsColor({}, { FORCE_COLOR: '1' })).toBe(true)
  })

  it('a wait of more than a second shows a message, and nothing is left of it', async () => {
    let stderr = ''
    let told: () => void
    const isTold = new Promise<void>((resolve) => (told = resolve))
    const write = (content: string | Uint8Array) => {
      stderr += content
      if (stderr.includes('Working')) told()
    }
    const io = { stdout: { write: () => {} }, stderr: { write, isTTY: true }, stop: new AbortController().signal }
    await showElapsed(io, () => isTold)
    expect(stderr.replace(/\d+ s/, 'N s')).toBe('\r\u001b[KWorking … N s\r\u001b[K')
    stderr = ''
    await showElapsed({ ...io, stderr: { write } }, async () => {})
    expect(stderr).toBe('')
  })

  it('a wait is a sentence elsewhere than on a terminal, but not for a program that reads JSON', async () => {
    let stderr = ''
    let told: () => void
    const isTold = new Promise<void>((resolve) => (told = resolve))
    const write = (content: string | Uint8Array) => {
      stderr += content
      told()
    }
    const io = { stdout: { write: () => {} }, stderr: { write }, stop: new AbortController().signal, tellsWaits: true }
    await showElapsed(io, () => isTold)
    expect(stderr).toBe('Working; this takes a moment.\n')
    stderr = ''
    await showElapsed(io, () => new Promise((resolve) => setTimeout(resolve, 2_500)), true)
    expect(stderr).toBe('')
  })
})

describe('a grouped series', () => {
  const row = (period: string, plan_id: string | null, mrr: number | null) => ({ period, plan_id, mrr })
  const grouped = [
    row('2025-01-01', 'a', 100),
    row('2025-01-01', null, 5),
    row('2025-02-01', 'a', 200),
    row('2025-02-01', null, null),
  ]

  it('has its groups side by side', () => {
    expect(answerText(answer(grouped, ['period', 'plan_id', 'mrr']), false)).toBe(
      ['mrr (USD)', 'period         a     –', '2025-01-01  1.00  0.05', '2025-02-01  2.00     –', ''].join('\n'),
    )
  })

  it('stays a list where numbers group, where there are too many groups, and as CSV', async () => {
    const byTenure = grouped.map(({ plan_id, ...rest }, index) => ({ tenure_months: index, ...rest }))
    expect(answerText(answer(byTenure, ['period', 'tenure_months', 'mrr']), false)).toMatch(/^period +tenure_months +mrr/)
    const many = Array.from({ length: 18 }, (_, index) => row(`2025-0${1 + (index % 2)}-01`, `plan-${index >> 1}`, 1))
    expect(answerText(answer(many, ['period', 'plan_id', 'mrr']), false)).toMatch(/^period +plan_id +mrr/)
    const csv = await ask('mrr --format csv', { query: () => Promise.resolve(answer(grouped, ['period', 'plan_id', 'mrr'])) })
    expect(csv.stdout).toMatch(/^period,plan_id,mrr\r\n/)
  })
})

describe('serve says what check finds before it listens', () => {
  const serving = (check: () => Promise<never[]>, ...options: readonly string[]) => {
    const controller = new AbortController()
    const serve = () => {
      setTimeout(() => controller.abort(), 20)
      return Promise.resolve({ url: 'http://127.0.0.1:9000', stop: () => Promise.resolve() })
    }
    return run(['serve', ...options], { check }, { serve }, controller.signal)
  }

  it('in words, and goes on', async () => {
    const findings = [
      { name: 'connection', level: 'ok', message: 'PostgreSQL 15' },
      { name: 'rates', level: 'warning', message: 'no rate into USD from EUR' },
    ] as unknown as never[]
    const outcome = await serving(() => Promise.resolve(findings))
    expect(outcome.code).toBe(0)
    expect(outcome.stderr).toMatch(/^warning: rates: no rate into USD from EUR\nPlumbline is running at /)
    const away = await serving(() => Promise.reject(new AppError('connector_unavailable', 'The database cannot be reached.')))
    expect(away.stderr).toMatch(/^failure: The database cannot be reached\.\nPlumbline is running at /)
  })

  it('but the demo only says that it loads', async () => {
    const check = () => Promise.reject(new AppError('connector_unavailable', 'Nobody asked for this.'))
    const outcome = await serving(check, '--demo')
    expect(outcome.stderr).toMatch(
      /^Unpacking the sample data and starting its database, which usually takes about 5 seconds …\nPlumbline is running at /,
    )
    expect(outcome.calls.map(([name]) => name)).toContain('openDemo')
  })

  it('but not where only the configuration can set it right', async () => {
    const outcome = await serving(() => Promise.reject(new ConfigurationError(['connector.tenant must name one of three'])))
    expect(outcome.code).toBe(2)
    expect(outcome.stderr).toMatch(/^error: connector\.tenant must name one of three\n/)
  })
})
