import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../src/core/package-root.ts'

/** A fenced block of a guide. */
export interface Block {
  /** First word of its info string; empty where there is none. */
  readonly language: string
  /** Whether the info string says `not-run`. */
  readonly isRun: boolean
  /** Line of its first text. */
  readonly line: number
  readonly text: string
}

/** A command as it is shown, with what it is shown to print. */
export interface Shown {
  readonly command: string
  readonly output: string
}

/** The fenced blocks of a guide, in their order. */
export function blocksOf(path: string): Block[] {
  const text = readFileSync(join(packageRoot(), path), 'utf8')
  return [...text.matchAll(/^```([a-z]*)( not-run)?\n([\s\S]*?)^```$/gm)].map((match) => ({
    language: match[1] ?? '',
    isRun: match[2] === undefined,
    line: text.slice(0, match.index).split('\n').length + 1,
    text: match[3] ?? '',
  }))
}

/** The commands of a session: lines behind `$ `, continued where they end in a backslash, each with what follows. */
export function shownIn({ text }: Block): Shown[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [, command = '', output = ''] = /^((?:.*\\\n)*.*)\n?([\s\S]*)$/.exec(part) ?? []
      return { command: command.replaceAll(/\\\n\s*/g, ''), output }
    })
}

/** The words of a command line, quotes taken off. */
export function wordsOf(command: string): string[] {
  return [...command.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'))
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/** The ids of a run by the ids that a guide shows for them. */
export type Ids = Map<string, string>

/** A text of the guide with the ids of this run. */
export function withIds(text: string, ids: Ids): string {
  return text.replaceAll(new RegExp(UUID, 'g'), (id) => ids.get(id) ?? id)
}

/**
 * Whether the output matches the block. A line `…` stands for any number of lines, and `…` inside a line for any text. A new id in the
 * block stands for the id of this run, which is noted in `ids`.
 */
export function isAsShown(shown: string, output: string, ids: Ids): boolean {
  const fresh: string[] = []
  const lines = withIds(trimmed(shown), ids)
    .split('\n')
    .map((line) => (line === '…' ? '(?:.*\n)*?' : `${pattern(line, ids, fresh)}\n`))
  const match = new RegExp(`^${lines.join('')}$`).exec(`${trimmed(output)}\n`)
  for (const [index, found] of match?.slice(1).entries() ?? []) ids.set(fresh[index] ?? '', found)
  return match !== null
}

function pattern(line: string, ids: Ids, fresh: string[]): string {
  const known = new Set(ids.values())
  return line
    .split(new RegExp(`( ?…|${UUID})`))
    .map((part) => {
      if (part.endsWith('…')) return '[^\n]*'
      if (!new RegExp(`^${UUID}$`).test(part) || known.has(part)) return part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
      fresh.push(part)
      return `(${UUID})`
    })
    .join('')
}

function trimmed(text: string): string {
  return text.replaceAll(/[ \t\r]+$/gm, '').trimEnd()
}
