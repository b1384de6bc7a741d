import { describe, expect, it } from 'vitest'
import { scanNeutralSql } from '../../src/compiler/neutral.ts'
import { sourceFiles } from './source-tree.ts'

const files = [
  ...sourceFiles('sql', ['.sql']),
  ...sourceFiles('connectors', ['.sql']).filter((file) => file.path.includes('/relations/')),
]

/** Files that exist because a query cannot be neutral. Each needs a reason in the folder's README; the list is to stay near empty. */
const DIALECT_VARIANTS: readonly string[] = ['sql/relations/start_cohort.duckdb.sql']

describe('neutral SQL (sql/README.md)', () => {
  it('finds the files', () => {
    expect(files.length).toBeGreaterThan(20)
  })

  it('no file uses what only one database understands', () => {
    const problems = files
      .filter((file) => !file.path.endsWith('.mysql.sql'))
      .flatMap((file) => scanNeutralSql(file.path, file.text))
      .map((problem) => `${problem.file}:${problem.line}:${problem.column} ${problem.message}`)
    expect(problems).toEqual([])
  })

  it('the files written for one dialect only are known', () => {
    expect(files.map((file) => file.path).filter((path) => /\.(mysql|duckdb)\.sql$/.test(path))).toEqual(DIALECT_VARIANTS)
  })
})
