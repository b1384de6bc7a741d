import { type Row, textIn } from '../api/use-answer.ts'
import { addable, MOVEMENTS, movementSpec, quickRatioSpec, waterfallSpec } from '../charts/movements.ts'
import { usePage } from '../controls/use-page.ts'
import { Card } from '../parts/card.tsx'
import { useDrill } from '../parts/drill.tsx'
import { columnsOf } from '../parts/table.tsx'
import { movementDrill } from './drills.ts'

/** The question that movements, waterfall and quick ratio share: it is asked once. */
function useWaterfall() {
  const page = usePage()
  const question = {
    path: '/api/metrics/mrr/waterfall',
    query: { ...page.audience, ...page.range, interval: page.step },
  } as const
  return { page, question }
}

/** Won and lost MRR of each period, with what is left of it. */
export function MovementsCard() {
  const { page, question } = useWaterfall()
  const { open } = useDrill()
  const { step } = page
  const drillOf = (type: string) => (row: Row) => {
    const period = textIn(row, 'period')
    return period === null ? undefined : movementDrill(page, period, page.audience, type)
  }
  return (
    <Card
      title="Movements"
      question={question}
      step={step}
      empty="No subscription began, changed or ended in this range."
      draw={(rows, around) => {
        const spec = movementSpec(rows, step, around)
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
      columns={(rows) =>
        columnsOf(rows, ['month']).map((column) =>
          MOVEMENTS.some(({ key }) => key === column.key) ? { ...column, drill: drillOf(column.key) } : column,
        )
      }
    />
  )
}

/** From the MRR before the range to that at its end. */
export function WaterfallCard() {
  const { question } = useWaterfall()
  return (
    <Card
      title="From start to end"
      question={question}
      draw={(rows, { currency }) => waterfallSpec(rows, currency)}
      pick={(rows) => addable(rows)}
      columns={(rows) => columnsOf(rows)}
    />
  )
}

/** MRR won divided by MRR lost, period by period. */
export function QuickRatioCard() {
  const { page, question } = useWaterfall()
  return (
    <Card
      title="Quick ratio"
      question={question}
      step={page.step}
      empty="Nothing was lost in this range, so there is no ratio."
      draw={(rows, around) => quickRatioSpec(rows, page.step, around)}
      columns={(rows) => columnsOf(rows, ['month', 'transfer', 'fx_effect', 'starting_mrr', 'ending_mrr', 'net_change'])}
    />
  )
}
