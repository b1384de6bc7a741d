import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../src/core/package-root.ts'
import { RELATION_CONTRACTS } from '../../src/relations/contracts.ts'
import type { ColumnContract } from '../../src/relations/define-relation.ts'

const GUIDE = join(packageRoot(), 'docs', 'connectors.md')
const SUPPORT = join(packageRoot(), 'test', 'support', 'product')
const RELATIONS = join(SUPPORT, 'toy-connector', 'relations')

/** A file of the toy connector as one who imports the package would write it. */
function published(path: string): string {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .replace("'../../../../src/connector-kit/index.ts'", "'plumbline/connector-kit'")
    .replace("'../../../src/index.ts'", "'plumbline'")
    .replace("'./toy-connector/index.ts'", "'./index.ts'")
}

function columnText({ name, type, is_nullable, values }: ColumnContract): string {
  const choice = values === undefined ? '' : `: ${values.join(', ')}`
  return `\`${name}\` ${type}${is_nullable ? '?' : ''}${choice}`
}

type Kind = (typeof RELATION_CONTRACTS)[number]['kind']

/** Relations of these kinds, as the guide lists them; a question mark stands for what may be null. */
function relationList(kinds: readonly Kind[]): string {
  return RELATION_CONTRACTS.filter(({ kind }) => kinds.includes(kind))
    .map(({ name, description, grain, columns }) =>
      [`**\`${name}\`** (one row per ${grain.join(', ')}). ${description}`, columns.map(columnText).join(' · ')].join('\n\n'),
    )
    .join('\n\n')
}

it('the guide shows the toy connector, which the tests execute, letter by letter', () => {
  const guide = readFileSync(GUIDE, 'utf8')
  const blocks = [...guide.matchAll(/```\w+\n([\s\S]*?)\n```/g)].map(([, text]) => text)
  const files = [
    ...readdirSync(RELATIONS).map((name) => join(RELATIONS, name)),
    join(SUPPORT, 'toy-connector', 'index.ts'),
    join(SUPPORT, 'toy-connector', 'mirror.ts'),
    join(SUPPORT, 'try-toy-connector.ts'),
  ]
  expect([...blocks].sort()).toEqual(files.map(published).sort())
})

it.each<[string, readonly Kind[]]>([
  ['relations', ['base', 'source']],
  ['defaults', ['default']],
  ['derived', ['derived']],
])('the guide lists all %s with their columns', (mark, kinds) => {
  const guide = readFileSync(GUIDE, 'utf8')
  const marked = new RegExp(`<!-- ${mark} -->[\\s\\S]*<!-- /${mark} -->`)
  expect(guide).toMatch(marked)
  const current = guide.replace(marked, () => `<!-- ${mark} -->\n\n${relationList(kinds)}\n\n<!-- /${mark} -->`)
  // biome-ignore lint/style/noProcessEnv: a switch of this test alone
  if (process.env['UPDATE_GUIDE'] === '1') writeFileSync(GUIDE, current)
  expect(guide, 'UPDATE_GUIDE=1 writes the list anew').toBe(current)
})

it('the toy connector takes less than 200 lines', () => {
  const files = [join(SUPPORT, 'toy-connector', 'index.ts'), ...readdirSync(RELATIONS).map((name) => join(RELATIONS, name))]
  const lines = files.reduce((sum, path) => sum + readFileSync(path, 'utf8').split('\n').length - 1, 0)
  expect(lines).toBeLessThan(200)
})
