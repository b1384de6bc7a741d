import type { Engine } from '../../../src/engine/engine.ts'

type Row = Readonly<Record<string, string | number | boolean | null>>

/** The figures of a range of days, few enough to be written by hand. */
export interface TrapFigures {
  /** MRR just before the range and at its end, base cents. */
  readonly opening: number
  readonly closing: number
  /** Base cents by movement type, those that are not 0. */
  readonly movements: Readonly<Record<string, number>>
  /** Customers churned of those live at the start. */
  readonly churned: `${number}/${number}`
  /** MRR lost by churn of that of the start cohort. */
  readonly lost: `${number}/${number}`
  readonly nrr: number | null
  readonly grr: number | null
  /** MRR per paying customer at the end. */
  readonly arpu: number | null
}

/** Asks an engine for the figures of the days `start` to `end`; `dayBefore` is the day before them. */
export async function figuresOf(engine: Engine, dayBefore: string, start: string, end: string): Promise<TrapFigures> {
  const ask = async (metric: string, query_type: string, params: Row, spec = {}) =>
    (await engine.query(metric, { query_type, ...params }, spec)).data
  const range = { start, end }
  const single = async (metric: string, query_type: string): Promise<Row> => {
    const rows = (await ask(metric, query_type, range, { dimensions: ['source'] })) as readonly Row[]
    return rows[0] ?? {}
  }
  const types = (await ask('mrr', 'breakdown', range)) as readonly { movement_type: string; amount_base: number }[]
  const moved = types.filter((row) => row.amount_base !== 0).map((row) => [row.movement_type, row.amount_base])
  const [logo, revenue] = [await single('churn', 'logo'), await single('churn', 'revenue')]
  return {
    opening: (await ask('mrr', 'current', { at: dayBefore })) as number,
    closing: (await ask('mrr', 'current', { at: end })) as number,
    movements: Object.fromEntries(moved),
    churned: `${Number(logo['churn_count'] ?? 0)}/${Number(logo['active_at_start'] ?? 0)}`,
    lost: `${Number(revenue['revenue_lost'] ?? 0)}/${Number(revenue['start_mrr'] ?? 0)}`,
    nrr: (await ask('retention', 'nrr', range)) as number | null,
    grr: (await ask('retention', 'grr', range)) as number | null,
    arpu: (await ask('ltv', 'arpu', { at: end })) as number | null,
  }
}
