import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format } from 'sql-formatter'
import { describe, expect, it } from 'vitest'
import { mysql } from '../../src/compiler/dialects/mysql.ts'
import { postgres } from '../../src/compiler/dialects/postgres.ts'
import { keptStore } from '../support/product/store-with-segments.ts'
import { KEPT, type KeptStatement, STORED } from './statements.ts'
import { storedEngine } from './stored-engine.ts'

const FOLDER = new URL('.', import.meta.url).pathname
// biome-ignore lint/style/noProcessEnv: the run's own switch, no product configuration
const isUpdate = process.env['UPDATE_GOLDEN'] === '1'

const DIALECTS = [
  { dialect: postgres, language: 'postgresql' },
  { dialect: mysql, language: 'mariadb' },
] as const

const fileOf = ({ name }: KeptStatement, dialect: string) => `${name}.${dialect}.sql`

describe.each(DIALECTS)('compiled for $dialect.name', ({ dialect, language }) => {
  it.each(KEPT)('$name is as kept', async (kept) => {
    const engine = storedEngine(dialect, await keptStore(STORED))
    const statements = await engine.compile(kept.metric, kept.params, kept.spec)
    const texts = statements.map(({ text }) => format(text, { language, expressionWidth: 120 }))
    const request = JSON.stringify({ params: kept.params, ...(kept.spec === undefined ? {} : { spec: kept.spec }) })
    const text = `-- ${kept.purpose}.\n-- ${kept.metric} ${request}\n${texts.join('\n\n')}\n`
    const path = join(FOLDER, fileOf(kept, dialect.name))
    if (isUpdate) writeFileSync(path, text)
    expect(text, 'UPDATE_GOLDEN=1 rewrites the files').toBe(readFileSync(path, 'utf8'))
  })
})

describe('the kept files', () => {
  it('are those of the list and no others', () => {
    const listed = KEPT.flatMap((kept) => DIALECTS.map(({ dialect }) => fileOf(kept, dialect.name)))
    expect(readdirSync(FOLDER).filter((name) => name.endsWith('.sql'))).toEqual(listed.sort())
  })

  it('are few and can be read', () => {
    expect(KEPT.length).toBeLessThanOrEqual(10)
    const lengths = KEPT.map((kept) => readFileSync(join(FOLDER, fileOf(kept, 'postgres')), 'utf8').split('\n').length)
    expect(Math.max(...lengths)).toBeLessThan(660)
  })
})
