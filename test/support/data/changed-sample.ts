import { PGlite } from '@electric-sql/pglite'
import { prepareSampleData, type SampleData } from '../../../src/app/demo/sample-data.ts'

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

const PLAN_ENDINGS = 90
const OVERRIDDEN = '-[0-9]+$'
const PHASE = '-(trial|discount|fixedterm|evergreen)$'

/** The sample data with 250 plans that are paid for, the names of some of them long, from right to left or markup. */
export function manyPlansSample(): Promise<SampleData> {
  const endings = Array.from({ length: PLAN_ENDINGS }, (_, place) => `.${HOSTILE_NAMES[place] ?? place}x`)
  return sampleWith(async (database) => {
    // A plan that was overridden for a subscription is found by the name of the one in the catalog: it keeps it.
    for (const table of ['subscription_events', 'invoice_items'])
      for (const [place, ending] of endings.entries())
        await database.query(
          `update ${table} set plan_name = plan_name || $1, phase_name = regexp_replace(phase_name, $2, $1 || '-\\1')
           where subscription_id in (select id from subscriptions where record_id % $3 = $4)
             and coalesce(plan_name, regexp_replace(phase_name, $2, '')) !~ $5`,
          [ending, PHASE, PLAN_ENDINGS, place, OVERRIDDEN],
        )
    const used = await database.query<{ plan: string }>(
      `select distinct regexp_replace(phase_name, $1, '') as plan from subscription_events where phase_name is not null`,
      [PHASE],
    )
    const plans = used.rows.map(({ plan }) => plan)
    const catalogs = await database.query<{ record_id: number; tenant_value: string }>(
      `select record_id, tenant_value from tenant_kvs where tenant_key = 'CATALOG'`,
    )
    for (const { record_id, tenant_value } of catalogs.rows) {
      const cells = [withCopies(tenant_value, plans), record_id]
      await database.query('update tenant_kvs set tenant_value = $1 where record_id = $2', cells)
    }
  })
}

/** A catalog in which every plan is there once more under each of the names that begin with its own and a dot. */
function withCopies(catalog: string, plans: readonly string[]): string {
  const written = plans.map((plan) => plan.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'))
  const namesOf = (name: string) => written.filter((plan) => plan.startsWith(`${name}.`))
  return catalog
    .replaceAll(/<plan name="([^"]*)">(.*?)<\/plan>/gs, (plan, name: string, rest: string) =>
      [plan, ...namesOf(name).map((copy) => `<plan name="${copy}">${rest}</plan>`)].join('\n'),
    )
    .replaceAll(/<plan>([^<]*)<\/plan>/g, (plan, name: string) =>
      [plan, ...namesOf(name).map((copy) => `<plan>${copy}</plan>`)].join(''),
    )
}

/** The sample data with a catalog that has no price in dollars for a plan. Without any price the plan would be free. */
export function unpricedSample(plan: string): Promise<SampleData> {
  return sampleWith(async (database) => {
    const catalogs = await database.query<{ record_id: number; tenant_value: string }>(
      `select record_id, tenant_value from tenant_kvs where tenant_key = 'CATALOG'`,
    )
    for (const { record_id, tenant_value } of catalogs.rows) {
      const cells = [withoutDollars(tenant_value, plan), record_id]
      await database.query('update tenant_kvs set tenant_value = $1 where record_id = $2', cells)
    }
  })
}

function withoutDollars(catalog: string, plan: string): string {
  return catalog.replaceAll(/<plan name="([^"]*)">.*?<\/plan>/gs, (text, name: string) =>
    name === plan ? text.replaceAll(/<price>\s*<currency>USD<\/currency>.*?<\/price>/gs, '') : text,
  )
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
