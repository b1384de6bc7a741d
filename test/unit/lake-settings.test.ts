import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createKillbillConnector } from '../../connectors/killbill/index.ts'
import { composeLake } from '../../src/app/compose-lake.ts'
import { loadConfig } from '../../src/app/config/config.ts'
import { loadCatalog } from '../../src/compiler/catalog.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { createQueryCounts } from '../../src/databases/trino/query-counts.ts'
import type { Executor } from '../../src/ports/executor.ts'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-lake-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const URL = 'trino://reader@lake.example.com/lake/billing'
const connector = createKillbillConnector({ tenant: ['all'], catalog: [] })

const CATALOG = loadCatalog({ sql: join(packageRoot(), 'sql'), relations: [connector.relationsDirectory] })

/** The lake of a configuration with these lines in its section. */
function lakeWith(lines: string) {
  const path = join(folder, 'plumbline.toml')
  writeFileSync(path, `[database]\nurl = "${URL}"\n[lake]\nschema = "lake.plumbline"\n${lines}`)
  const config = loadConfig({ environment: {}, cwd: folder, home: folder, config: path })
  const openExecutor = () => ({ close: async () => {} }) as unknown as Executor
  return composeLake(config, {
    connector,
    catalog: CATALOG,
    queries: [],
    databases: undefined,
    openExecutor,
    counts: createQueryCounts(),
  })
}

it.each(['', 'copied_by = "fivetran"', 'tables = { accounts = "kb.public.ACCOUNTS" }'])('a lake may have %j', async (lines) => {
  await lakeWith(lines)?.cache.close()
})

it.each([
  ['tables = { acounts = "kb.public.ACCOUNTS" }', 'lake.tables.acounts: the connector reads no table of this name'],
  ['copied_by = "fivetran"\nstraight = true', 'lake.straight: with lake.copied_by or lake.tables'],
  ['straight = true\ntables = { accounts = "kb" }', 'lake.straight: with lake.copied_by or lake.tables'],
  ['tables = { accounts = "a?b" }', 'must be the name of a table'],
  ['tables = { Accounts = "a" }', 'lake.tables.Accounts: the connector reads no table of this name'],
  ['copied_by = "stitch"', 'lake.copied_by'],
])('a lake may not have %j', (lines, problem) => {
  expect(() => lakeWith(lines)).toThrow(expect.objectContaining({ problems: [expect.stringContaining(problem)] }))
})
