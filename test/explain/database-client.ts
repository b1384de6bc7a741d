import { execFile } from 'node:child_process'
import type { TestDatabase } from '../support/databases/test-database.ts'

/** A null in the answer of a client. No recorded text looks like it. */
const NULL = '\u2205'
const CELLS = '\u001f'
const ROWS = '\u001e'

/** The rows that a client prints for a script, as texts in the order of the script. */
export type RunScript = (script: string) => Promise<readonly (readonly (string | null)[])[]>

/** The client of a database server: `psql` or `mysql`. Undefined for an embedded database, which has none. */
export function clientOf({ url, target }: Pick<TestDatabase, 'url' | 'target'>): RunScript | undefined {
  if (target === 'pglite') return undefined
  return target === 'postgres' ? (script) => runPsql(url, script) : (script) => runMysql(new URL(url), script)
}

async function runPsql(url: string, script: string): ReturnType<RunScript> {
  const form = ['--field-separator', CELLS, '--record-separator', ROWS, '--pset', `null=${NULL}`]
  const answer = await run(
    'psql',
    [url, '--no-psqlrc', '--quiet', '--no-align', '--tuples-only', ...form],
    {},
    script,
    '\\set ON_ERROR_STOP on\n',
  )
  const lines = answer.replace(/\n$/, '').split(ROWS)
  return lines.filter((line) => line !== '').map((line) => line.split(CELLS).map((cell) => (cell === NULL ? null : cell)))
}

async function runMysql(url: URL, script: string): ReturnType<RunScript> {
  const place = [
    '--host',
    url.hostname,
    '--port',
    url.port === '' ? '3306' : url.port,
    '--user',
    decodeURIComponent(url.username),
  ]
  const options = ['--no-defaults', '--protocol', 'TCP', ...place, '--batch', '--skip-column-names', url.pathname.slice(1)]
  const answer = await run('mysql', options, { MYSQL_PWD: decodeURIComponent(url.password) }, script, '')
  const lines = answer.split('\n').slice(0, -1)
  return lines.map((line) => line.split('\t').map((cell) => (cell === 'NULL' ? null : withoutPadding(unescaped(cell)))))
}

const ESCAPES: Readonly<Record<string, string>> = { '\\n': '\n', '\\t': '\t', '\\0': '\0', '\\\\': '\\' }

function unescaped(cell: string): string {
  return cell.replaceAll(/\\[nt0\\]/g, (found) => ESCAPES[found] ?? found)
}

/** An instant without the zeros that pad its fraction: an executor leaves them out. */
function withoutPadding(cell: string): string {
  return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/.test(cell) ? cell.replace(/0+$/, '').replace(/\.$/, '') : cell
}

/** Feeds a script to a program, as a person who pastes it. Rejects with what the program prints as an error. */
function run(
  program: string,
  options: readonly string[],
  environment: Readonly<Record<string, string>>,
  script: string,
  before: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const settings = { env: { PATH: '/usr/bin:/bin:/usr/local/bin', LC_ALL: 'C.UTF-8', ...environment }, maxBuffer: 2 ** 28 }
    const child = execFile(program, options, settings, (error, stdout, stderr) => {
      if (error !== null || /^(ERROR|psql:)/m.test(stderr)) reject(new Error(`${stderr}\n${script.slice(0, 4000)}`))
      else resolve(stdout)
    })
    child.stdin?.end(`${before}${script}\n`)
  })
}
