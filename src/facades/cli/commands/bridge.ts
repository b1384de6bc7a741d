import type { Unit } from '../../../core/column.ts'
import type { Answer, MetricDefinition } from '../../../engine/engine.ts'
import { BRIDGE_PARAMETERS } from '../../presentation/parameters.ts'
import { unitsOfColumns } from '../../presentation/table.ts'
import { answerText } from '../answer-text.ts'
import { type Command, UsageError } from '../command.ts'
import { queryOptionsOf, STEP_OPTION_TEXTS } from '../options.ts'
import { ANY_USUAL_DAYS, queryDays } from '../usual-days.ts'
import { answerQuestion } from './question.ts'

/** `bridge`: a figure under two definition sets, one option after the other. */
export function bridgeCommand(metrics: readonly MetricDefinition[]): Command {
  const names = metrics.map(({ name }) => name)
  return {
    name: 'bridge',
    description: 'Explain the difference of a figure between two definition sets',
    options: ['from', 'to', ...queryOptionsOf(BRIDGE_PARAMETERS)],
    texts: STEP_OPTION_TEXTS,
    positionals: [{ name: 'metric', description: 'Name of the metric, from `plumbline metrics`', values: names }],
    examples: ['bridge mrr --from plumbline --to default'],
    dates: ANY_USUAL_DAYS,
    run: (invocation) => {
      const metric = (invocation.input.positionals[0] ?? '').replaceAll('-', '_')
      if (metric === '') throw new UsageError(['name the metric, such as `plumbline bridge mrr --from plumbline --to default`'])
      const definition = metrics.find(({ name }) => name === metric)
      const set = (name: string) => {
        const given = invocation.input.values.get(name)?.at(-1)
        return given === undefined ? {} : { [name]: given }
      }
      return answerQuestion(
        {
          command: `bridge ${metric}`,
          metric,
          operation: (engine) => (params, spec, settings) =>
            engine.bridge(metric, { ...params, ...set('from'), ...set('to') }, spec, settings),
          ...(definition === undefined ? {} : { days: (input) => queryDays(definition, input) }),
          text: bridgeText,
        },
        invocation,
      )
    },
  }
}

interface Bridge {
  readonly measure: string
  readonly from: { readonly definitions: string; readonly value: number | null }
  readonly to: { readonly definitions: string; readonly value: number | null }
  readonly steps: readonly {
    readonly option: string
    readonly from: string
    readonly to: string
    readonly value: number | null
    readonly difference: number | null
  }[]
  readonly residual: number | null
}

/** A bridge as a table: both ends, and a row for each option. */
function bridgeText(answer: Answer, bold: boolean): string {
  const { measure, from, to, steps, residual } = answer.data as Bridge
  const rows = [
    { step: from.definitions, difference: null, [measure]: from.value },
    ...steps.map((step) => ({
      step: `${step.option}: ${step.from} → ${step.to}`,
      difference: step.difference,
      [measure]: step.value,
    })),
    { step: to.definitions, difference: null, [measure]: to.value },
    { step: 'residual', difference: residual, [measure]: null },
  ]
  const unit = unitsOfColumns(answer).get('residual') ?? 'count'
  const described = (name: string, own: Unit) => ({ name, label: name, holds: 'other' as const, description: '', unit: own })
  const fields = [
    { name: 'step', label: 'Step', holds: 'other' as const, description: '' },
    // The difference of two fractions is a plain number, not in percentage points.
    described('difference', unit === 'money' ? unit : 'count'),
    described(measure, unit),
  ]
  return answerText(
    { ...answer, kind: 'rows', data: rows, columns: fields.map(({ name }) => name), meta: { ...answer.meta, fields } },
    bold,
  )
}
