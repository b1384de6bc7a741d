import { type Row, textIn } from '../api/use-answer.ts'
import { addable, MOVEMENTS, movementSpec, quickRatioSpec, waterfallSpec } from '../charts/movements.ts'
import { usePage } from '../controls/use-page.ts'
import { Card } from '../parts/card.tsx'
import { useDrill } from '../parts/drill.tsx'
import { columnsOf, drillable } from '../parts/table.tsx'
import { movementDrill, movementsOf } from './drills.ts'

const KINDS = MOVEMENTS.map(({ key }) => key)
/** Columns of the waterfall. Each has its rows. */
const COLUMNS = ['starting_mrr', ...KINDS, 'net_change', 'ending_mrr']

/** The question that movements, MRR bridge and quick ratio share. The page sends it only once. */
function useWaterfall() {
  const page = usePage()
  const question = {
    path: '/api/metrics/mrr/waterfall',
    query: { ...page.audience, ...page.range, interval: page.step },
  } as const
  return { page, question }
}

/** MRR gained and lost in each period, with the net. */
export function MovementsCard() {
  const { page, question } = useWaterfall()
  const { open } = useDrill()
  const { step } = page
  const drillOf = (row: Row, type?: string) => {
    const period = textIn(row, 'period')
    return period === null ? undefined : movementDrill(page, period, page.audience, type)
  }
  return (
    <Card
      title="Movements"
      question={question}
      step={step}
      empty="No MRR movements in this period."
      draw={(rows, context) => {
        const spec = movementSpec(rows, step, context)
        return spec === undefined
          ? undefined
          : {
              ...spec,
              onPick: (place, name) => {
                const period = textIn(rows[place], 'period')
                const type = MOVEMENTS.find(({ label }) => label === name)?.key
                if (period !== null) open(movementDrill(page, period, page.audience, type))
              },
            }
      }}
      columns={(rows) => drillable(columnsOf(rows, ['month']), COLUMNS, drillOf)}
    />
  )
}

/** From the MRR before the range to the MRR at its end. */
export function WaterfallCard() {
  const { page, question } = useWaterfall()
  const { open } = useDrill()
  const { audience, range, windows } = page
  const drillOf = (_: Row, column: string) => movementsOf(range, windows.whole.name, audience, column)
  return (
    <Card
      title="MRR bridge"
      question={question}
      empty="No MRR in this period."
      draw={(rows, { currency }) => {
        const spec = waterfallSpec(rows, currency)
        return (
          spec && {
            ...spec,
            onPick: (place) => {
              const type = MOVEMENTS.find(({ label }) => label === spec.labels[place])?.key
              const level = place === 0 ? 'starting_mrr' : 'ending_mrr'
              open(movementsOf(range, windows.whole.name, audience, type ?? level))
            },
          }
        )
      }}
      pick={(rows) => addable(rows)}
      columns={(rows) => drillable(columnsOf(rows), COLUMNS, drillOf)}
    />
  )
}

/** MRR gained divided by MRR lost, by period. */
export function QuickRatioCard() {
  const { page, question } = useWaterfall()
  const { open } = useDrill()
  const drillOf = (row: Row, type?: string) => movementDrill(page, textIn(row, 'period') ?? '', page.audience, type)
  return (
    <Card
      title="Quick ratio"
      question={question}
      step={page.step}
      empty="No MRR was lost in this period, so there is no ratio."
      draw={(rows, context) => {
        const spec = quickRatioSpec(rows, page.step, context)
        return spec && { ...spec, onPick: (place) => open(drillOf(rows[place] ?? {})) }
      }}
      columns={(rows) =>
        drillable(columnsOf(rows, ['month', 'transfer', 'fx_effect', 'starting_mrr', 'ending_mrr', 'net_change']), KINDS, drillOf)
      }
    />
  )
}
