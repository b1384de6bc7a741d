import { catalogRelations } from '../../connectors/killbill/catalog/price-rows.ts'
import { openEngine } from '../../connectors/killbill/session.ts'
import type { InlineRelation } from '../../src/connector-kit/connector.ts'
import { definitionsSchema } from '../../src/core/definitions.ts'
import type { BenchDatabase } from './bench-database.ts'
import { timed } from './measure.ts'
import { NOW } from './tasks.ts'

/**
 * The usual way without Plumbline, written for each engine: a table of MRR transitions per subscription, and a calendar joined to it by
 * range. Events and the last price of each phase fill the table, without quantity, pause, add-on end, usage or later price.
 */
export interface Incumbent {
  /** Milliseconds to make table and indexes. */
  setUp(): Promise<number>
  /** Milliseconds to rebuild the rows of that many accounts, as its listener does after each event of an account. */
  refresh(accounts: number): Promise<number>
  /** Milliseconds of the MRR of each day of 36 months. */
  dailyMrr(): Promise<number>
  /** Milliseconds of the MRR of now. */
  point(): Promise<number>
  drop(): Promise<void>
}

const DAYS = { first: '2023-12-01', count: 1_086 }
const TABLES = ['bench_transition', 'bench_phase_price', 'bench_calendar'] as const

/** Over a database of the benchmarks; its tables are in the engine's database until they are dropped. */
export function incumbentOf(database: BenchDatabase): Incumbent {
  const run = (text: string) => database.adminQuery(text)
  const isMysql = database.dialect.name === 'mysql'
  const dateOf = (instant: string) => (isMysql ? `date(${instant})` : `${instant}::date`)
  const rows = (
    where: string,
  ) => `select subscription_event.account_record_id, subscription_event.subscription_id, account.currency,
      ${dateOf('subscription_event.effective_date')} as next_start_date,
      ${dateOf('lead(subscription_event.effective_date) over (partition by subscription_event.subscription_id order by subscription_event.effective_date, subscription_event.record_id)')} as next_end_date,
      case when subscription_event.user_type = 'CANCEL' or subscription_event.event_type = 'EXPIRED' then 0 else phase_price.monthly end as next_mrr
    from subscription_events as subscription_event
    join accounts as account on account.record_id = subscription_event.account_record_id
    left join bench_phase_price as phase_price on phase_price.phase_name = subscription_event.phase_name
      and phase_price.currency = account.currency
    where subscription_event.is_active = true and subscription_event.effective_date <= '${NOW.slice(0, 10)}'
      and (subscription_event.event_type in ('PHASE', 'EXPIRED') or subscription_event.user_type in ('CREATE', 'TRANSFER', 'CHANGE', 'CANCEL')) ${where}`
  const drop = async (): Promise<void> => {
    for (const table of TABLES) await run(`drop table if exists ${table}`)
  }

  return {
    async setUp() {
      await drop()
      await run('create table bench_phase_price (phase_name varchar(255), currency varchar(3), monthly decimal(20, 6))')
      for (const price of await lastPrices(database)) {
        const [phase, currency, monthly] = price
        await run(`insert into bench_phase_price values ('${phase}', '${currency}', ${monthly})`)
      }
      await run('create table bench_calendar (d date primary key)')
      await run(
        isMysql
          ? `insert into bench_calendar select date_add('${DAYS.first}', interval seq day) from seq_0_to_${DAYS.count - 1}`
          : `insert into bench_calendar select date '${DAYS.first}' + number from generate_series(0, ${DAYS.count - 1}) as number`,
      )
      const [milliseconds] = await timed(async () => {
        await run(`create table bench_transition as ${rows('')}`)
        await run('create index bench_transition_days on bench_transition (next_start_date, next_end_date)')
        await run('create index bench_transition_account on bench_transition (account_record_id)')
        await run(isMysql ? 'analyze table bench_transition' : 'analyze bench_transition')
      })
      return milliseconds
    },
    async refresh(accounts) {
      const named = await run(`select record_id, tenant_record_id from accounts order by record_id limit ${accounts}`)
      const [milliseconds] = await timed(async () => {
        for (const { record_id, tenant_record_id } of named) {
          await run(`delete from bench_transition where account_record_id = ${record_id}`)
          await run(
            `insert into bench_transition ${rows(`and subscription_event.tenant_record_id = ${tenant_record_id} and subscription_event.account_record_id = ${record_id}`)}`,
          )
        }
      })
      return milliseconds
    },
    dailyMrr: async () =>
      (
        await timed(() =>
          run(`select calendar.d, transition.currency, sum(transition.next_mrr) as mrr
            from bench_calendar as calendar
            join bench_transition as transition on transition.next_start_date <= calendar.d
              and (transition.next_end_date > calendar.d or transition.next_end_date is null)
            group by calendar.d, transition.currency`),
        )
      )[0],
    point: async () =>
      (
        await timed(() =>
          run(`select currency, sum(next_mrr) as mrr from bench_transition where next_end_date is null group by currency`),
        )
      )[0],
    drop,
  }
}

/** The last price of each phase and currency by month. */
async function lastPrices(database: BenchDatabase): Promise<readonly (readonly [string, string, string])[]> {
  const definitions = definitionsSchema.parse({ allow_unpriced: true })
  const executor = database.executor({})
  return executor.withSnapshot(async (snapshot) => {
    const { catalogs, currencies } = await openEngine({ tenant: [], catalog: [] }, snapshot, definitions)
    const relations = catalogRelations(catalogs, currencies)
    const lines = new Map(cellsOf(relations, 'price_line').map((line) => [line['line_key'], line]))
    const last = new Map<string, readonly [string, string, string]>()
    for (const cell of cellsOf(relations, 'price')) {
      const line = lines.get(cell['line_key'])
      const [phase, currency] = [String(line?.['phase_name']), String(line?.['currency'])]
      if (cell['price'] === null || cell['month_denominator'] === 0) continue
      const monthly = (Number(cell['price']) * Number(cell['month_numerator'])) / Number(cell['month_denominator'])
      last.set(`${phase} ${currency}`, [phase, currency, monthly.toFixed(6)])
    }
    return [...last.values()]
  })
}

function cellsOf(relations: readonly InlineRelation[], wanted: string): readonly Readonly<Record<string, unknown>>[] {
  const { columns, rows } = relations.find(({ name }) => name === wanted) ?? { columns: [], rows: [] }
  return rows.map((row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index]])))
}
