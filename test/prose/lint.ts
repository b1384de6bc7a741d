import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EXCEPTIONS, GENERATED } from '../config/prose.ts'
import { codeComments, sqlComments } from './comments.ts'
import { type Problem, problemsIn } from './rules.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const EVERYTHING = ['README.md', 'docs', 'src', 'connectors', 'sql', 'test']
const READ = /\.(md|tsx?|js|sql)$/

interface Finding extends Problem {
  readonly path: string
}

const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const paths = (asked.length === 0 ? EVERYTHING : asked).flatMap(filesOf)
const used = new Set<unknown>()
const findings = paths.flatMap(findingsIn)
if (asked.length === 0) {
  const unused = EXCEPTIONS.filter((exception) => !used.has(exception))
  findings.push(
    ...unused.map(({ path, quote }) => ({ path, line: 1, rule: 'exception', message: `nothing to excuse: "${quote}"` })),
  )
}
const lines = process.argv.includes('--summary')
  ? summary()
  : findings.map(({ path, line, message }) => `${path}:${line} ${message}`)
process.stdout.write([...lines, `${findings.length} findings in ${paths.length} files`, ''].join('\n'))
process.exitCode = findings.length === 0 ? 0 : 1

function filesOf(path: string): string[] {
  const full = asked.length === 0 ? join(ROOT, path) : path
  const files = statSync(full).isDirectory()
    ? readdirSync(full, { recursive: true, encoding: 'utf8' }).map((name) => join(full, name))
    : [full]
  return files
    .map((file) => relative(ROOT, file).replaceAll('\\', '/'))
    .filter((file) => READ.test(file) && !GENERATED.includes(file))
    .sort()
}

function findingsIn(path: string): Finding[] {
  const text = readFileSync(join(ROOT, path), 'utf8')
  const fileLines = text.split('\n')
  return problemsOf(path, text)
    .map((problem) => ({ path, ...problem }))
    .filter(({ line }) => {
      const excusing = EXCEPTIONS.find((exception) => exception.path === path && fileLines[line - 1]?.includes(exception.quote))
      if (excusing !== undefined) used.add(excusing)
      return excusing === undefined
    })
}

function problemsOf(path: string, text: string): Problem[] {
  if (path.endsWith('.md')) return problemsIn(text)
  const comments = path.endsWith('.sql') ? sqlComments(text) : codeComments(path, text)
  return comments.flatMap((comment) =>
    problemsIn(comment.text).map((problem) => ({ ...problem, line: comment.line + problem.line - 1 })),
  )
}

/** Number of findings per rule, then per folder and rule. */
function summary(): string[] {
  const counted = (names: readonly string[]) =>
    [...new Set(names)]
      .map((name) => ({ name, count: names.filter((other) => other === name).length }))
      .sort((one, other) => other.count - one.count)
  const inWords = (rows: ReturnType<typeof counted>) => rows.map(({ name, count }) => `${name} ${count}`).join(', ')
  const folderOf = (path: string) =>
    path.startsWith('docs/') ? path : path.split('/').slice(0, -1).slice(0, 3).join('/') || path
  const folders = counted(findings.map(({ path }) => folderOf(path))).sort((one, other) => (one.name < other.name ? -1 : 1))
  return [
    `Rules: ${inWords(counted(findings.map(({ rule }) => rule)))}`,
    ...folders.map(({ name, count }) => {
      const rules = findings.filter(({ path }) => folderOf(path) === name).map(({ rule }) => rule)
      return `${name.padEnd(32)}${String(count).padStart(5)}  ${inWords(counted(rules))}`
    }),
  ]
}
