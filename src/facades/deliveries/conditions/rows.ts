import { createHash } from 'node:crypto'
import type { WatchedMovement } from '../../../core/delivery.ts'
import { daysBefore } from '../../../core/periods.ts'
import type { Answer, AskOptions, Engine } from '../../../engine/engine.ts'
import type { Part } from '../../presentation/briefing/briefing.ts'
import type { ConditionOf, Judging, Verdict } from './verdict.ts'

type RowsCondition = ConditionOf<'rows'>

/** Days up to today in which movements are looked at. A movement that is recorded later than this after its day is not found. */
const WINDOW_DAYS = 35
/** Most movements that a question answers, the largest first, and those that a message tells and explains. */
const MOST_MOVERS = 1_000
const MOST_TOLD = 50
const MOST_EXPLAINED = 10

interface Mover {
  readonly customer_id: string
  readonly subscription_id: string
  readonly movement_type: WatchedMovement
  readonly occurred_at: string
  readonly amount_base: number
  readonly text: string
}

/** Judges the movements of a condition. A message names each once: its key is the cursor, so a movement that is recorded late counts too. */
export async function judgeRows(condition: RowsCondition, judging: Judging): Promise<Verdict> {
  const { engine, today, options, state, knownRows } = judging
  const { movers } = await readMovers(engine, condition, today, options)
  const keys = movers.map(keyOf)
  const known = await knownRows(keys)
  const fresh = movers.filter((mover) => !known.has(keyOf(mover)))
  const verdict = { silence: 'There are no new movements of that amount.', state, rows: keys }
  if (fresh.length === 0) return verdict
  const title = fresh.length === 1 ? '1 new movement' : `${fresh.length} new movements`
  return { ...verdict, message: { title, parts: [moversPart(fresh, condition)] } }
}

/** The keys of all movements of a condition that are there now. */
export async function movementKeys(
  condition: RowsCondition,
  { engine, today, options }: Pick<Judging, 'engine' | 'today' | 'options'>,
): Promise<readonly string[]> {
  const { movers } = await readMovers(engine, condition, today, options)
  return movers.map(keyOf)
}

function keyOf({ subscription_id, movement_type, occurred_at }: Mover): string {
  return createHash('sha256')
    .update(JSON.stringify([subscription_id, movement_type, occurred_at]))
    .digest('hex')
}

interface Movers {
  readonly answer: Answer
  readonly movers: readonly Mover[]
  readonly start: string
  /** True if there may be more movements of the amount. */
  readonly isCut: boolean
}

async function readMovers(engine: Engine, condition: RowsCondition, today: string, options: AskOptions): Promise<Movers> {
  const { movements, least_cents } = condition
  const start = daysBefore(today, WINDOW_DAYS)
  const asked = { query_type: 'why', start, end: today, limit: String(MOST_MOVERS) }
  const answer = await engine.query('mrr', asked, {}, options)
  const { movers: all } = answer.data as { readonly movers: readonly Mover[] }
  const large = all.filter(({ amount_base }) => Math.abs(amount_base) >= least_cents)
  const movers = large.filter(({ movement_type }) => movements.includes(movement_type))
  return { answer, movers, start, isCut: large.length === MOST_MOVERS }
}

/** The sentences of movements, and the records of the billing database that the largest come from. */
function moversPart(fresh: readonly Mover[], condition: RowsCondition): Part {
  const title = 'New movements'
  return {
    title,
    async ask({ engine, today, options, seen, warn }) {
      const { answer, start, isCut } = await readMovers(engine, condition, today, options)
      seen(answer)
      if (isCut) warn(`Only the ${MOST_MOVERS} largest movements are looked at.`)
      const sentences: string[] = []
      for (const [place, mover] of fresh.slice(0, MOST_TOLD).entries())
        sentences.push(mover.text, ...(place < MOST_EXPLAINED ? await evidenceOf(engine, mover, options) : []))
      const more = fresh.length - MOST_TOLD
      if (more > 0) sentences.push(`${more} more are left out.`)
      return { kind: 'sentences', title, page: `mrr?start=${start}&end=${today}`, sentences }
    },
  }
}

interface EvidenceRow {
  readonly subscription_id: string | null
  readonly occurred_at: string | null
  readonly cancel_reason: string | null
  readonly evidence?: readonly { readonly occurred_at: string | null; readonly note: string }[]
}

/** The records of the billing database at the instant of a movement. Empty if it cannot say. */
async function evidenceOf(engine: Engine, mover: Mover, options: AskOptions): Promise<readonly string[]> {
  const { customer_id, subscription_id, occurred_at, movement_type } = mover
  // A day to each side, because the days of the question may be those of another zone.
  const [day, instant] = [occurred_at.slice(0, 10), occurred_at]
  const params = { query_type: 'breakdown', start: daysBefore(day, 1), end: daysBefore(day, -1), movement_type, limit: '20' }
  const answer = await engine.metricRows('mrr', params, { filters: { customer_id } }, options)
  const { rows } = answer.data as { readonly rows: readonly EvidenceRow[] }
  const own = rows.filter((row) => row.subscription_id === subscription_id && row.occurred_at === instant)
  const notes = own.flatMap(({ evidence = [] }) =>
    evidence.filter((each) => each.occurred_at === instant).map(({ note }) => note),
  )
  const reasons = own.flatMap(({ cancel_reason }) => (cancel_reason === null ? [] : [`reason ${cancel_reason}`]))
  const said = [...new Set([...reasons, ...notes])]
  return said.length === 0 ? [] : [`  Recorded: ${said.join('; ')}.`]
}
