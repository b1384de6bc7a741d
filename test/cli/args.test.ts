import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { readCommandLine } from '../../src/facades/cli/args.ts'
import { describeCommandLine } from '../../src/facades/cli/commands/index.ts'
import { BUILT_IN_METRICS } from '../../src/metrics/built-in.ts'
import { run } from './recording-product.ts'
import { runProduct } from './run-product.ts'

const COMMANDS = describeCommandLine(BUILT_IN_METRICS)

function read(line: string) {
  return readCommandLine(
    line.split(' ').filter((word) => word !== ''),
    COMMANDS,
  )
}

function literal(text: string): RegExp {
  return new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
}

describe('the command line is read strictly', () => {
  it.each([
    ['mrr', 'mrr', {}],
    ['mrr --at 2025-01-01', 'mrr', { at: ['2025-01-01'] }],
    ['mrr breakdown --start 2025-01-01 --end=2025-01-31', 'mrr breakdown', { start: ['2025-01-01'], end: ['2025-01-31'] }],
    ['mrr --start 2025-01-01 breakdown --end b', 'mrr breakdown', { start: ['2025-01-01'], end: ['b'] }],
    ['--format json mrr waterfall --start a --end b', 'mrr waterfall', { format: ['json'], start: ['a'], end: ['b'] }],
    ['waterfall --interval week --start a --end b', 'waterfall', { interval: ['week'], start: ['a'], end: ['b'] }],
    [
      'arr --dimension plan_id --dimension currency --filter a=b --filter a=c',
      'arr',
      { dimension: ['plan_id', 'currency'], filter: ['a=b', 'a=c'] },
    ],
    ['mrr --filter plan_id=', 'mrr', { filter: ['plan_id='] }],
    ['mrr --filter=-x=1', 'mrr', { filter: ['-x=1'] }],
    ['fx list --config a.toml', 'fx list', { config: ['a.toml'] }],
    [
      'churn --type revenue --granularity month --start a --end b',
      'churn',
      { type: ['revenue'], granularity: ['month'], start: ['a'], end: ['b'] },
    ],
    ['retention --query-type=nrr --start a --end b', 'retention', { 'query-type': ['nrr'], start: ['a'], end: ['b'] }],
    ['ltv --at 2025-01-31 --start a --end b', 'ltv', { at: ['2025-01-31'], start: ['a'], end: ['b'] }],
    ['ltv arpu --at 2025-01-31', 'ltv arpu', { at: ['2025-01-31'] }],
    ['ltv cohort --start a --end b', 'ltv cohort', { start: ['a'], end: ['b'] }],
    ['trials --interval week --start a --end b', 'trials', { interval: ['week'], start: ['a'], end: ['b'] }],
    ['trials funnel --start a --end b', 'trials funnel', { start: ['a'], end: ['b'] }],
    ['trials series --interval week --start a --end b', 'trials series', { interval: ['week'], start: ['a'], end: ['b'] }],
    ['usage-revenue --start a --end b', 'usage-revenue', { start: ['a'], end: ['b'] }],
    [
      'usage-revenue series --interval day --start a --end b',
      'usage-revenue series',
      { interval: ['day'], start: ['a'], end: ['b'] },
    ],
    ['usage-revenue by-customer --start a --end b', 'usage-revenue by-customer', { start: ['a'], end: ['b'] }],
    ['summary --start a --end b --filter source=s', 'summary', { start: ['a'], end: ['b'], filter: ['source=s'] }],
  ])('%s', (line, name, values) => {
    const found = read(line)
    expect(found).toMatchObject({ kind: 'run', command: { name } })
    expect(found.kind === 'run' ? Object.fromEntries(found.input.values) : undefined).toEqual(values)
  })

  it('takes arguments after the command and after --', () => {
    expect(read('fields mrr')).toMatchObject({ kind: 'run', input: { positionals: ['mrr'] } })
    expect(read('explain churn')).toMatchObject({ kind: 'run', input: { positionals: ['churn'] } })
    expect(read('fx import -- --strange.csv')).toMatchObject({
      kind: 'run',
      command: { name: 'fx import' },
      input: { positionals: ['--strange.csv'] },
    })
  })

  it.each([
    ['mrr --bogus', 'unknown option --bogus'],
    ['mrr --att 2025-01-01', 'unknown option --att; did you mean --at '],
    ['mrr --Start 2025-01-01', 'unknown option --Start; did you mean --start?'],
    ['mrr -x', 'unknown option -x'],
    ['mrr --no-format', 'unknown option --no-format'],
    ['mrr --__proto__ 1', 'unknown option --__proto__'],
    ['mrr --toString', 'unknown option --toString'],
    ['mrr --segment s1 --segment s2', 'option --segment is given more than once'],
    ['metrics --compare s1', 'option --compare does not apply'],
    ['mrr --because', /^unknown option --because$/],
    ['mrr breakdown --at 2025-01-01', /^option --at does not apply to "plumbline mrr breakdown"$/],
    ['mrr breakdown --interval day', 'option --interval does not apply'],
    ['churn --at 2025-01-01', 'option --at does not apply'],
    ['churn --query-type logo', 'option --query-type does not apply'],
    ['ltv cohort --at 2025-01-01', 'option --at does not apply'],
    ['summary --at 2025-01-01', 'option --at does not apply'],
    ['explain churn --filter a=b', 'option --filter does not apply'],
    ['--at 2025-01-01', /^option --at does not apply to "plumbline"$/],
    ['mrr --once', 'option --once does not apply to "plumbline mrr"'],
    ['metrics --dimension plan_id', 'option --dimension does not apply'],
    ['check --start 2025-01-01', 'option --start does not apply'],
    ['mrr --at', 'option --at needs a value; write --at=-… if the value starts with a dash'],
    ['mrr --at --format json', 'option --at needs a value; write --at=-… if the value starts with a dash'],
    ['mrr --at 2025-01-01 --at 2025-01-01', 'option --at is given more than once'],
    ['demo --once=yes', 'option --once takes no value'],
    ['', 'a command is missing'],
    ['fx', 'a command is missing after "fx"'],
    ['frobnicate', 'unknown command "frobnicate"'],
    ['mr', 'unknown command "mr"; did you mean mrr'],
    ['nrr', 'unknown command "nrr"; did you mean retention --query-type nrr?'],
    ['NRR --start 2025-01-01', 'unknown command "NRR"; did you mean retention --query-type nrr?'],
    ['clv', 'unknown command "clv"; did you mean ltv?'],
    ['mrr brekdown', 'unknown command "mrr brekdown"; did you mean mrr breakdown?'],
    ['mrr breakdown more', 'unexpected argument "more"'],
    ['expense', 'unknown command "expense"'],
    ['keys lst', 'unknown command "keys lst"'],
    ['reconcile', 'unknown command "reconcile"'],
    ['trials funel', 'unknown command "trials funel"; did you mean trials funnel?'],
    ['churn customers', 'unexpected argument "customers"'],
    ['explain', 'argument <metric> is missing'],
    ['backfill', 'option --source is missing'],
    ['sources', 'a command is missing after "sources"'],
    ['sources disconnect', 'argument <id> is missing'],
    ['constructor', 'unknown command "constructor"'],
    ['fields', 'argument <metric> is missing'],
    ['fields mrr churn', 'unexpected argument "churn"'],
    ['fx import', 'argument <file> is missing'],
  ])('refuses: %s', (line, problem) => {
    const found = read(line)
    expect(found).toMatchObject({ kind: 'refused' })
    const [first = ''] = found.kind === 'refused' ? found.problems : []
    expect(first).toMatch(typeof problem === 'string' ? literal(problem) : problem)
  })

  it('reports every wrong option at once, and no arguments that they may have shifted', () => {
    const found = read('mrr --bogus x --at --format')
    expect(found).toMatchObject({
      kind: 'refused',
      problems: [expect.stringContaining('--bogus'), expect.stringContaining('--at')],
    })
  })

  it('help and version win over everything else', () => {
    expect(read('mrr breakdown --bogus --help')).toMatchObject({ kind: 'help', command: { name: 'mrr breakdown' } })
    expect(read('-h')).toMatchObject({ kind: 'help', command: { name: '' } })
    expect(read('mrr --version')).toEqual({ kind: 'version' })
    expect(read('-v')).toEqual({ kind: 'version' })
  })
})

describe('an address with a password', () => {
  const ADDRESSES = ['trino://u:hush@h/lake/billing', 'TRINO://u:hush@h/l/b', 'redis://u:hush@h', 'postgres://u:hu%sh@h/kb']

  it.each(ADDRESSES)('%s is in no message about the command line', (address) => {
    for (const line of [address, `mrr ${address}`, `churn ${address}`, `help ${address}`, `keys ${address}`, `--${address}`]) {
      const { problems } = read(line) as { problems: readonly string[] }
      expect(problems.join()).toContain('***')
      expect(problems.join()).not.toMatch(/hush|hu%sh/)
    }
  })

  it.each(ADDRESSES)('%s alone is inspected', async (address) => {
    const { calls, stderr } = await run([address])
    expect(calls).toContainEqual(['init', expect.objectContaining({ url: address, dryRun: true })])
    expect(stderr).not.toContain('hush')
  })

  it.each(ADDRESSES.slice(1))('%s is refused without a word of it', async (address) => {
    const { code, stdout, stderr } = await runProduct(tmpdir(), [address])
    expect(code).not.toBe(0)
    expect(stdout + stderr).not.toMatch(/hush|hu%sh/)
    expect(stderr).toMatch(/database\.url.*(trino:\/\/…\/catalog|begins no escape|must be)/s)
  })
})
