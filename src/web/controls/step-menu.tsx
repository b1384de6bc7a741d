import { STEPS } from '../format/days.ts'
import { labelOf } from '../format/labels.ts'
import { ChoiceMenu } from './choice-menu.tsx'
import { useChangeSearch, usePage } from './use-page.ts'

const CHOICES = STEPS.map((step) => ({ value: step, label: labelOf(step) }))

/** Length of the periods. */
export function StepMenu() {
  const { step } = usePage()
  const change = useChangeSearch()
  return (
    <ChoiceMenu
      label="Interval"
      value={step}
      choices={CHOICES}
      onChoose={(value) => change({ interval: STEPS.find((known) => known === value) })}
    />
  )
}
