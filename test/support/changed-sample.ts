import { PGlite } from '@electric-sql/pglite'
import { prepareSampleData, type SampleData } from '../../src/demo/sample-data.ts'

const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'

/** Names that break a page where somebody trusts them: long ones without a blank, from right to left, markup, none at all. */
export const HOSTILE_NAMES: readonly (string | null)[] = [
  LONG,
  'شركة الأمثلة المحدودة للتجارة والخدمات العامة',
  '<b>bold</b> & <i>Sons</i>',
  `"><img src=x onerror="document.title='taken over'">`,
  null,
  '𝕌𝕟𝕚𝕔𝕠𝕕𝕖\u202E reversed',
]

/** The sample data with customers, countries and fields of names that a page must not trust. */
export function hostileSample(): Promise<SampleData> {
  return sampleWith(async (database) => {
    const count = HOSTILE_NAMES.length
    for (const [place, name] of HOSTILE_NAMES.entries()) {
      const cells = [
        name,
        `${'a'.repeat(100)}@${place}.example`,
        place % 2 === 0 ? null : (name?.slice(0, 50) ?? ''),
        count,
        place,
      ]
      await database.query('update accounts set name = $1, email = $2, country = $3 where record_id % $4 = $5', cells)
    }
    await database.query(`update custom_fields set field_value = $1 where field_name = 'tier' and account_record_id % 2 = 0`, [
      HOSTILE_NAMES[3],
    ])
  })
}

/** The sample data without a single customer. */
export function emptySample(): Promise<SampleData> {
  return sampleWith(async (database) => {
    for (const table of ['accounts', 'bundles', 'subscriptions', 'subscription_events', 'invoices', 'invoice_items', 'tags'])
      await database.exec(`delete from ${table}`)
  })
}

async function sampleWith(change: (database: PGlite) => Promise<void>): Promise<SampleData> {
  const data = await prepareSampleData()
  const database = await PGlite.create(data.databaseUrl.replace(/^pglite:/, ''))
  await change(database)
  await database.close()
  return data
}
