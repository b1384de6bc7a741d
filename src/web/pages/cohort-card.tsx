import { useRef, useState } from 'react'
import { rowsOf, useAnswer } from '../api/use-answer.ts'
import type { ChartHandle } from '../charts/chart.tsx'
import { usePage } from '../controls/use-page.ts'
import { CardMenu } from '../parts/card-menu.tsx'
import { ChoiceTabs } from '../parts/choice-tabs.tsx'
import { Answered, Warnings } from '../parts/states.tsx'
import { CohortCurves } from './cohort-curves.tsx'
import { cohortQuestion } from './cohort-drills.ts'
import { CohortTable } from './cohort-table.tsx'
import { cohortsOf } from './cohorts.ts'

type Form = 'share' | 'count' | 'curves'

const FORMS: readonly { readonly value: Form; readonly label: string }[] = [
  { value: 'share', label: 'Percent' },
  { value: 'count', label: 'Customers' },
  { value: 'curves', label: 'Curves' },
]
const HEIGHT = 420
const TITLE = 'Customer retention by cohort'

/** The customers of each month and how many of them are still active, as heat map or curves. */
export function CohortCard() {
  const [form, setForm] = useState<Form>('share')
  const chart = useRef<ChartHandle>(null)
  const question = cohortQuestion(usePage())
  const asked = useAnswer(question)
  const cohorts = cohortsOf(rowsOf(asked.data?.data))
  return (
    <section className="card" aria-label={TITLE}>
      <header className="card-head">
        <h2>{TITLE}</h2>
        <div className="card-tools">
          <ChoiceTabs label="View" value={form} choices={FORMS} onChoose={setForm} />
          <CardMenu
            title={TITLE}
            question={question}
            png={form === 'curves' ? () => chart.current?.png() ?? Promise.resolve(null) : undefined}
          />
        </div>
      </header>
      <Warnings asked={asked} />
      <Answered asked={asked} height={HEIGHT} empty="No new paying customers in this period.">
        {form === 'curves' ? (
          <CohortCurves cohorts={cohorts} title={TITLE} handle={chart} />
        ) : (
          <CohortTable cohorts={cohorts} isShare={form === 'share'} title={TITLE} />
        )}
      </Answered>
    </section>
  )
}
