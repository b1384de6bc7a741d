import type { PGlite } from '@electric-sql/pglite'
import * as z from 'zod'

const COPIES = 15
const PLAN = /<plan name="([^"]+)">[\s\S]*?<\/plan>/g
const ENDS = ['', '-<b>bold</b>', `-${'x'.repeat(80)}`, '-"&\'', '-خطة سنوية']

const stored = z.array(z.object({ record_id: z.coerce.number(), tenant_value: z.string() }))

/** Makes fifteen plans of each, with names that a page must not trust, and spreads their subscribers over them. */
export async function hostilePlans(database: PGlite): Promise<void> {
  const { rows } = await database.query(`select record_id, tenant_value from tenant_kvs where tenant_key = 'CATALOG'`)
  const plans = new Set<string>()
  for (const { record_id, tenant_value } of stored.parse(rows)) {
    for (const [, name = ''] of tenant_value.matchAll(PLAN)) plans.add(name)
    const xml = tenant_value.replaceAll(PLAN, (plan: string, name: string) => copiesOf(plan, name)).replaceAll(LISTED, '')
    await database.query('update tenant_kvs set tenant_value = $1 where record_id = $2', [xml, record_id])
  }
  await database.exec('create temp table renamed (plan text, rest integer, named text)')
  for (const plan of plans)
    for (let copy = 0; copy < COPIES; copy += 1)
      await database.query('insert into renamed values ($1, $2, $3)', [plan, copy, nameOf(plan, copy)])
  for (const table of ['subscription_events', 'subscription_event_history'])
    await database.exec(`update ${table} as event set plan_name = named from renamed
        where event.plan_name = plan and event.account_record_id % ${COPIES} = rest;
      update ${table} as event set phase_name = named || substr(phase_name, length(plan) + 1) from renamed
        where event.phase_name ~ ('^' || plan || '-[a-z]+$') and event.account_record_id % ${COPIES} = rest`)
}

/** Lists of plans by their old names, which a catalog need not have. */
const LISTED = /<plan>[^<]*<\/plan>/g

function copiesOf(plan: string, name: string): string {
  const copies = Array.from({ length: COPIES }, (_, copy) =>
    plan.replace(`name="${name}"`, `name="${escaped(nameOf(name, copy))}"`),
  )
  return copies.join('')
}

function nameOf(plan: string, copy: number): string {
  return `${plan}-${copy}${ENDS[copy % ENDS.length]}`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
