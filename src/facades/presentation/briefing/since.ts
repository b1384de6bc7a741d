import * as z from 'zod'
import { AppError } from '../../../core/errors.ts'
import { groupBy } from '../../../core/group-by.ts'
import type { AskOptions, Engine } from '../../../engine/engine.ts'
import { recordsOf } from '../table.ts'
import { type Block, BRIEFING_NAMES, type Briefing, type BriefingPlan, makeBriefing, type Shown } from './briefing.ts'
import { valueText } from './values.ts'

/** Values and movements that the block names. The rest is counted. */
const MOST_VALUES = 20
const MOST_MOVEMENTS = 20

const UNIT = z.enum(['money', 'count', 'ratio', 'fraction']).optional()
const SHOWN = z.union([z.number(), z.string(), z.null()])
const DAY = z.iso.date()

const MOVEMENTS = z.array(
  z.object({
    customer_id: z.string(),
    customer_name: z.string().nullable(),
    type: z.string(),
    day: DAY,
    amount_base_cents: z.number().int(),
  }),
)
/** Sums of movements of MRR, one for each customer, kind and day. */
export type Movements = z.infer<typeof MOVEMENTS>

/** A briefing as `--format json` wrote it: what a comparison needs of it. */
const EARLIER = z.object({
  name: z.enum(BRIEFING_NAMES),
  days: z.object({ start: DAY, end: DAY }),
  base_currency: z.string(),
  time_zone: z.string().optional(),
  definitions: z.string(),
  movements: MOVEMENTS.optional(),
  blocks: z.array(
    z.discriminatedUnion('kind', [
      z.object({
        ...{ kind: z.literal('figures'), title: z.string() },
        figures: z.array(z.object({ title: z.string(), value: SHOWN, unit: UNIT })),
      }),
      z.object({
        ...{ kind: z.literal('table'), title: z.string() },
        columns: z.array(z.object({ title: z.string(), unit: UNIT })),
        rows: z.array(z.array(SHOWN)),
      }),
      z.object({ kind: z.literal('sentences'), title: z.string() }),
    ]),
  ),
})

export type Earlier = z.infer<typeof EARLIER>
type ReadBlock = Earlier['blocks'][number]

/** The briefing in a file. AppError `invalid_value` that says what the file lacks. */
export function readEarlier(content: unknown): Earlier {
  const read = EARLIER.safeParse(content)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const place = issue === undefined || issue.path.length === 0 ? '' : ` at "${issue.path.join('.')}"`
  throw new AppError(
    'invalid_value',
    `This is no briefing that "plumbline report … -o earlier.json" wrote: ${issue?.message}${place}.`,
  )
}

/**
 * A block that says which numbers of an earlier briefing are others today, and which movements of MRR in its days have come, gone or
 * changed since. Parts about what is to come are not compared. AppError `invalid_value` if amounts are in another currency.
 */
export async function changesSince(earlier: Earlier, plan: BriefingPlan, engine: Engine, options: AskOptions): Promise<Block> {
  const past = { ...plan, daysOf: () => earlier.days, parts: plan.parts.filter(({ isAhead }) => isAhead !== true) }
  const now = await makeBriefing(past, engine, earlier.days.end, options)
  if (now.base_currency !== earlier.base_currency) {
    const text = `The earlier briefing is in ${earlier.base_currency} and this one in ${now.base_currency}, so their amounts cannot be compared.`
    throw new AppError('invalid_value', text)
  }
  const compared = new Set(now.blocks.map(({ title }) => title))
  const [before, after] = [valuesOf(earlier.blocks.filter(({ title }) => compared.has(title))), valuesOf(now.blocks)]
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name)?.value !== after.get(name)?.value,
  )
  const text = (known: Known | undefined) =>
    known === undefined ? 'nothing' : valueText(known.value, known.unit, now.base_currency)
  const values = changed.map((name) => `${name}: ${text(before.get(name))} then, ${text(after.get(name))} now.`)
  const sameMeaning = now.definitions === earlier.definitions && now.time_zone === earlier.time_zone
  return {
    kind: 'sentences',
    title: `Changed since the briefing of ${earlier.days.start} to ${earlier.days.end}`,
    page: `mrr?start=${earlier.days.start}&end=${earlier.days.end}`,
    sentences: [
      changed.length === 0
        ? `None of its ${before.size} numbers has changed.`
        : `${changed.length} of its ${before.size} numbers ${changed.length === 1 ? 'has' : 'have'} changed.`,
      ...(sameMeaning ? [] : ['The definitions or the time zone have changed, too, so the numbers may mean something else.']),
      ...upTo(values, MOST_VALUES, 'more numbers have changed'),
      ...(earlier.movements === undefined
        ? ['The file has no movements of MRR, so those of today cannot be compared with them.']
        : movementsSince(earlier.movements, (await withMovements(now, engine, options)).movements, now.base_currency)),
    ],
  }
}

interface Known {
  readonly value: Shown
  readonly unit?: ReadUnit
}
type ReadUnit = z.infer<typeof UNIT>

/** The numbers of blocks by a name that says where each is. */
function valuesOf(blocks: readonly (Block | ReadBlock)[]): ReadonlyMap<string, Known> {
  return new Map(blocks.flatMap(numbersOf))
}

function numbersOf(block: Block | ReadBlock): readonly (readonly [string, Known])[] {
  switch (block.kind) {
    case 'sentences':
      return []
    case 'figures':
      return block.figures.map(({ title, value, unit }) => [`${block.title}, ${title}`, { value, unit }])
    case 'table':
      return block.rows.flatMap(([name = null, ...cells]) =>
        cells.map((value, index): readonly [string, Known] => {
          const { title, unit } = block.columns[index + 1] ?? { title: '' }
          return [`${block.title}, ${valueText(name, undefined, '')}, ${title}`, { value, unit }]
        }),
      )
  }
}

/** A briefing for a file that a later one is compared with: it has the movements of MRR in its days, unless they are too many. */
export async function withMovements(
  briefing: Briefing,
  engine: Engine,
  options: AskOptions,
): Promise<Briefing & { readonly movements?: Movements }> {
  try {
    return { ...briefing, movements: await movementsOf(briefing, engine, options) }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'result_too_large') throw error
    return { ...briefing, warnings: [...briefing.warnings, `Without the movements of MRR: ${error.message}`] }
  }
}

/** The movements of MRR in the days of a briefing, those of a kind on a day of a customer as one. AppError `result_too_large`. */
async function movementsOf({ days }: Pick<Earlier, 'days'>, engine: Engine, options: AskOptions): Promise<Movements> {
  const asked = { query_type: 'waterfall', measure: 'net_change', period: 'all', ...days }
  const rows = recordsOf(await engine.metricRows('mrr', asked, {}, { ...options, isWhole: true }))
  const text = (row: Readonly<Record<string, unknown>>, name: string) => String(row[name])
  const keyOf = (row: Readonly<Record<string, unknown>>) =>
    [text(row, 'customer_id'), text(row, 'movement_type'), text(row, 'occurred_at').slice(0, 10)].join(' ')
  return [...groupBy(rows, keyOf).values()].map((own) => {
    const [first = {}] = own
    return {
      customer_id: text(first, 'customer_id'),
      customer_name: typeof first['customer_name'] === 'string' ? first['customer_name'] : null,
      type: text(first, 'movement_type'),
      day: text(first, 'occurred_at').slice(0, 10),
      amount_base_cents: own.reduce((sum, row) => sum + Number(row['amount_base_cents']), 0),
    }
  })
}

/** Sentences about movements that were not there then, or are not there now, or have another amount. The largest comes first. */
function movementsSince(before: Movements, after: Movements | undefined, currency: string): readonly string[] {
  if (after === undefined) return ['Its movements of MRR are too many now to be compared.']
  const keyOf = ({ customer_id, type, day }: Movements[number]) => `${customer_id} ${type} ${day}`
  const [then, now] = [before, after].map((all) => new Map(all.map((one) => [keyOf(one), one])))
  const money = (cents: number) => `${valueText(cents, 'money', currency)} ${currency}`
  const found = [...new Set([...(then?.keys() ?? []), ...(now?.keys() ?? [])])].flatMap((key) => {
    const [was, is] = [then?.get(key), now?.get(key)]
    const one = is ?? was
    if (one === undefined || was?.amount_base_cents === is?.amount_base_cents) return []
    const name = `${one.customer_name ?? one.customer_id}, ${one.type} on ${one.day}`
    const said =
      was === undefined
        ? `${money(one.amount_base_cents)}, recorded since`
        : is === undefined
          ? `${money(was.amount_base_cents)} then, and it is gone`
          : `${money(was.amount_base_cents)} then, ${money(is.amount_base_cents)} now`
    return [{ said: `${name}: ${said}.`, size: Math.abs((is?.amount_base_cents ?? 0) - (was?.amount_base_cents ?? 0)) }]
  })
  const sorted = found.toSorted((one, other) => other.size - one.size).map(({ said }) => said)
  return upTo(sorted, MOST_MOVEMENTS, 'more movements have changed')
}

function upTo(sentences: readonly string[], most: number, more: string): readonly string[] {
  const rest = sentences.length - most
  return rest <= 0 ? sentences : [...sentences.slice(0, most), `${rest} ${more}.`]
}
