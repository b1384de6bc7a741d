import { expect, it } from 'vitest'
import { composeEngine } from '../../src/app/compose.ts'
import { loadConfig } from '../../src/app/config/config.ts'
import { ConfigurationError } from '../../src/core/errors.ts'

const AT = 'trino.example.com/lake'

/** Composes over a lake and closes it. Nothing is asked. Resolves to the problems of the configuration. */
async function problemsOf(settings: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const environment = {
    PLUMBLINE_DATABASE_URL: `trino://reader@${AT}/billing?sslmode=require`,
    PLUMBLINE_STORE_URL: 'none',
    PLUMBLINE_LAKE_SCHEMA: 'lake.plumbline',
    ...settings,
  }
  try {
    await composeEngine(loadConfig({ environment, cwd: '/', home: '/' })).engine.close()
    return []
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems
    throw error
  }
}

it.each([
  ['the writer reads the same tables', { PLUMBLINE_LAKE_PUBLISH_URL: `trino://writer@${AT}/billing?sslmode=require` }, []],
  [
    'the writer reads other tables',
    { PLUMBLINE_LAKE_PUBLISH_URL: `trino://writer@${AT}/staging?sslmode=require` },
    [expect.stringContaining('lake.publish_url: must name the catalog and the schema of database.url')],
  ],
  [
    'publications would lie among the billing tables',
    { PLUMBLINE_LAKE_SCHEMA: 'lake.billing' },
    [expect.stringContaining('lake.schema: must not be the schema of the billing tables')],
  ],
  [
    'the same, named by database.schema',
    { PLUMBLINE_LAKE_SCHEMA: 'lake.other', PLUMBLINE_DATABASE_SCHEMA: 'other' },
    [expect.stringContaining('lake.schema: must not be the schema of the billing tables')],
  ],
])('%s', async (_name, settings, problems) => {
  expect(await problemsOf(settings)).toEqual(problems)
})
