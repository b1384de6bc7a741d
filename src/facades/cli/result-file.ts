import { randomUUID } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { access, chmod, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { type CommandInput, optionValue, UsageError } from './command.ts'
import type { Io } from './io.ts'

/** Where results go while a command runs, and what keeps them when it has ended. */
interface OpenResult {
  readonly io: Io
  save(): Promise<void>
}

/** Formats that the ending of a file's name stands for. */
const FORMAT_OF: Readonly<Record<string, string>> = {
  '.json': 'json',
  '.csv': 'csv',
  '.xlsx': 'xlsx',
}

/** Endings of files that programs read otherwise: text in such a one would be taken for broken. */
const OTHER_FORMATS = [
  '.xls',
  '.xlsm',
  '.xlsb',
  '.ods',
  '.numbers',
  '.pdf',
  '.html',
  '.xml',
  '.yaml',
  '.yml',
  '.tsv',
  '.ndjson',
  '.jsonl',
  '.parquet',
]

/** The input with the format that `--json` or the ending of the file means. UsageError where `--json` and `--format` contradict each other. */
export function withFormat(input: CommandInput): CommandInput {
  const given = optionValue(input, 'format')
  const isJson = input.flags.has('json')
  if (isJson && given !== undefined && given !== 'json')
    throw new UsageError([`--json and --format ${given} contradict each other`])
  const path = optionValue(input, 'output')
  const ending = path === undefined ? '' : extname(path).toLowerCase()
  if (given === undefined && !isJson && OTHER_FORMATS.includes(ending)) {
    const known = Object.keys(FORMAT_OF).join(', ')
    throw new UsageError([`cannot write ${path}: there is no form ${ending}; name a file that ends in ${known} or .txt`])
  }
  const meant = given ?? (isJson ? 'json' : path === undefined ? undefined : FORMAT_OF[ending])
  return meant === undefined ? input : { ...input, values: new Map([...input.values, ['format', [meant]]]) }
}

/**
 * Where a command's result goes: standard output, or a file, which is there as a whole when the command has ended, and as it was when it
 * fails. UsageError for a directory and for what cannot be written, before anything is asked.
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
    throw new UsageError([`cannot write ${path}: it is a directory; name a file in it`])
  // A device or a pipe takes what comes and cannot be replaced.
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
