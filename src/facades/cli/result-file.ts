import { randomUUID } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { access, chmod, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { type CommandInput, optionValue, UsageError } from './command.ts'
import type { Io } from './io.ts'

/** The output of a running command. `save` writes the file when the command has ended. */
interface OpenResult {
  readonly io: Io
  save(): Promise<void>
}

/** Formats by file extension. */
const FORMAT_OF: Readonly<Record<string, string>> = {
  '.json': 'json',
  '.csv': 'csv',
  '.xlsx': 'xlsx',
}

/** Extensions of formats that are not written. A text file with such an extension would look broken to other programs. */
const OTHER_FORMATS = [
  '.xls',
  '.xlsm',
  '.xlsb',
  '.ods',
  '.numbers',
  '.pdf',
  '.html',
  '.htm',
  '.xml',
  '.yaml',
  '.yml',
  '.tsv',
  '.ndjson',
  '.jsonl',
  '.parquet',
]

/** True for the extension of a format that is not written. */
function isOfOther(ending: string, formats: Readonly<Record<string, string>>): boolean {
  return formats[ending] === undefined && (OTHER_FORMATS.includes(ending) || FORMAT_OF[ending] !== undefined)
}

/** The input with the format set by `--json` or by the file extension. UsageError if `--json` and `--format` contradict each other. */
export function withFormat(input: CommandInput, formats: Readonly<Record<string, string>> = FORMAT_OF): CommandInput {
  const given = optionValue(input, 'format')
  const isJson = input.flags.has('json')
  if (isJson && given !== undefined && given !== 'json')
    throw new UsageError([`--json and --format ${given} contradict each other`])
  const path = optionValue(input, 'output')
  const ending = path === undefined ? '' : extname(path).toLowerCase()
  if (given === undefined && !isJson && isOfOther(ending, formats)) {
    const known = Object.keys(formats).join(', ')
    throw new UsageError([`cannot write ${path}: ${ending} is not a supported format; use ${known} or .txt`])
  }
  const meant = given ?? (isJson ? 'json' : path === undefined ? undefined : formats[ending])
  return meant === undefined ? input : { ...input, values: new Map([...input.values, ['format', [meant]]]) }
}

/**
 * The output of a command: standard output or a file. The file is written as a whole when the command has ended, and stays unchanged if
 * it fails. UsageError before any query if the path is a directory or cannot be written.
 */
export async function openResult(path: string | undefined, io: Io): Promise<OpenResult> {
  if (path === undefined || path === '-') return { io, save: async () => {} }
  const place = await placeOf(path)
  const written: Uint8Array[] = []
  const write = (content: string | Uint8Array) => written.push(Buffer.from(content))
  return {
    io: { ...io, stdout: { write } },
    async save() {
      await place.fill(Buffer.concat(written)).catch((error: unknown) => {
        throw unwritable(path, error)
      })
      if (io.stderr.isTTY === true) io.stderr.write(`Wrote ${path}\n`)
    },
  }
}

interface Place {
  fill(content: Uint8Array): Promise<void>
}

async function placeOf(path: string): Promise<Place> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw unwritable(path, error)
  })
  if (found?.isDirectory() === true || /[\\/]$/.test(path))
    throw new UsageError([`cannot write ${path}: it is a directory; give the path of a file`])
  // A device or a pipe cannot be replaced, so it is written directly.
  if (found !== undefined && !found.isFile()) return { fill: (content) => writeFile(path, content) }
  const target = found === undefined ? path : await realpath(path)
  await access(dirname(target), constants.W_OK).catch((error: unknown) => {
    throw unwritable(path, error)
  })
  return { fill: (content) => replace(target, content, found) }
}

async function replace(target: string, content: Uint8Array, before: Stats | undefined): Promise<void> {
  const draft = join(dirname(target), `.${basename(target)}.${randomUUID()}`)
  try {
    await writeFile(draft, content, { flag: 'wx' })
    if (before !== undefined) await chmod(draft, before.mode)
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

function unwritable(path: string, error: unknown): UsageError {
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
  return new UsageError([`cannot write ${path}${code}`])
}
