import type { CheckFinding, Snapshot, SnapshotSource } from '../../src/connector-kit/connector.ts'
import { grantsRemedy } from '../../src/connector-kit/grants.ts'
import {
  createQueryRunner,
  type Fragment,
  fn,
  parseInteger,
  type QueryRunner,
  sql,
  text,
  textList,
} from '../../src/connector-kit/query-runner.ts'
import { refusalFinding } from '../../src/connector-kit/source-choice.ts'
import { zoneFinding } from '../../src/connector-kit/zone-offsets.ts'
import { oddLagoNumbers } from './odd-numbers.ts'
import { chooseOrganizations, type Organization, readOrganizations } from './organizations.ts'
import { checkSchema, type LagoSchema } from './schema.ts'
import { type LagoSettings, readZones, unknownLagoZones } from './session.ts'
import { merged, NOTE_ITEMS, OF_LEDGER } from './tables.ts'

/** Most names in one message. */
const MOST_NAMED = 5

/** Findings about the engine: schema, organizations, partners, plans without a price, and prices whose history is lost. */
export async function checkLago(settings: LagoSettings, snapshot: Snapshot): Promise<readonly CheckFinding[]> {
  const run = createQueryRunner(snapshot)
  const opened = await openOrganizations(settings, run, snapshot.dialect.name).catch(refusalFinding)
  if ('level' in opened) return [opened]
  const ids = opened.chosen.map(({ id }) => id)
  if (ids.length === 0) return [{ name: 'organizations', level: 'warning', message: 'the engine has no organization yet' }]
  return [
    { name: 'schema', level: 'ok', message: 'Lago, all columns as of version 1.51' },
    { name: 'organizations', level: 'ok', message: opened.chosen.map(({ name }) => name).join(', ') },
    await partnerFinding(run, ids),
    await priceFinding(run, ids),
    await historyFinding(run, ids),
    zoneFinding(unknownLagoZones(await readZones(run, ids))),
    ...ledgerFindings(snapshot.dialect.name, opened.schema),
    { name: 'cancel_reasons', level: 'ok', message: 'Lago stores none, so the dimension cancel_reason has no values' },
  ]
}

/** Findings that read whole tables: numbers that are none. */
export async function crossCheckLago(settings: LagoSettings, source: SnapshotSource): Promise<readonly CheckFinding[]> {
  const { chosen } = await source.withSnapshot((snapshot) =>
    openOrganizations(settings, createQueryRunner(snapshot), snapshot.dialect.name),
  )
  if (chosen.length === 0) return []
  return oddLagoNumbers(
    source,
    chosen.map(({ id }) => id),
  )
}

async function openOrganizations(
  { organization }: LagoSettings,
  run: QueryRunner,
  dialect: string,
): Promise<{ readonly chosen: readonly Organization[]; readonly schema: LagoSchema }> {
  const schema = await checkSchema(run, dialect)
  return { schema, chosen: chooseOrganizations(await readOrganizations(run), organization) }
}

function ledgerFindings(dialect: string, schema: LagoSchema): readonly CheckFinding[] {
  const { ledger_unknown, has_note_items, has_granted_credits } = schema
  if (ledger_unknown === undefined) {
    const guesses = [
      ...(has_note_items ? [] : ['without the items of credit notes, each takes off all fees of its invoice in proportion']),
      ...(has_granted_credits ? [] : ['the wallet credits that invoices used all count as bought']),
    ]
    return guesses.length === 0
      ? []
      : [{ name: 'ledger', level: 'warning', message: `the database is of an older version: ${guesses.join(', and ')}` }]
  }
  if (dialect === 'trino') return [{ name: 'ledger', level: 'warning', message: ledger_unknown }]
  const remedy = grantsRemedy({ connector: 'lago', dialect, tables: Object.keys(merged([OF_LEDGER, NOTE_ITEMS])) })
  return [{ name: 'ledger', level: 'warning', message: `${ledger_unknown} If they exist, ${remedy}.` }]
}

async function partnerFinding(run: QueryRunner, ids: readonly string[]): Promise<CheckFinding> {
  const [row] = await run(
    'lago.partners',
    sql`select count(*) as partners from customers as customer
      where ${fn('text', sql`customer.organization_id`)} in (${textList(ids)}) and ${fn('text', sql`customer.account_type`)} = 'partner'`,
  )
  return {
    name: 'partners',
    level: 'ok',
    message: `${parseInteger(row?.['partners'] ?? 0)} customers are partners and do not count`,
  }
}

/** Plans with active subscriptions whose price the connector does not know (D26). */
async function priceFinding(run: QueryRunner, ids: readonly string[]): Promise<CheckFinding> {
  const rows = await run(
    'lago.unpriced',
    sql`select plan.code, count(*) as subscriptions from plans as plan
      join subscriptions as subscription on subscription.plan_id = plan.id
      where ${fn('text', sql`plan.organization_id`)} in (${textList(ids)}) and ${fn('text', sql`plan.pricing_type`)} = 'product_catalog'
        and subscription.status in (1, 2) and subscription.started_at is not null
      group by plan.code order by plan.code`,
  )
  if (rows.length === 0) return { name: 'prices', level: 'ok', message: 'every plan in use has a price' }
  const listed = rows.map((row) => `${text(row['code'])} (${parseInteger(row['subscriptions'])} subscriptions)`)
  return {
    name: 'prices',
    level: 'warning',
    message: `unpriced, because their prices are in the product catalog: ${listed.join(', ')}`,
  }
}

/** Plans whose first known amount is not the one that they were created with: the engine keeps only the last five changes. */
async function historyFinding(run: QueryRunner, ids: readonly string[]): Promise<CheckFinding> {
  const amount = (path: Fragment) => fn('json_text', sql`version.object_changes`, path)
  const [before, after] = [amount(sql`'$.amount_cents[0]'`), amount(sql`'$.amount_cents[1]'`)]
  const rows = await run(
    'lago.lost_prices',
    sql`with changed as (
        select version.item_id, version.event = 'create' as is_creation, ${before} as before, ${after} as after,
          row_number() over (partition by version.item_id, version.event = 'create' order by version.id) as place
        from versions as version
        where version.item_type = 'Plan' and ${after} is not null
      )
      select distinct plan.code from plans as plan
      join changed as created on created.item_id = ${fn('text', sql`plan.id`)} and created.is_creation and created.place = 1
      left join changed as edited on edited.item_id = created.item_id and not edited.is_creation and edited.place = 1
      where ${fn('text', sql`plan.organization_id`)} in (${textList(ids)})
        and coalesce(edited.before, ${fn('text', sql`plan.amount_cents`)}) <> created.after
      order by plan.code`,
  )
  if (rows.length === 0) return { name: 'history', level: 'ok', message: 'the first amount of every plan is known' }
  const codes = rows.map((row) => text(row['code']))
  const more = codes.length > MOST_NAMED ? `, … (${codes.length} plans)` : ''
  return {
    name: 'history',
    level: 'warning',
    message: `Lago keeps the last five changes of a plan, and earlier changes of these are lost: ${codes.slice(0, MOST_NAMED).join(', ')}${more}. Their oldest known amount stands for everything earlier`,
  }
}
