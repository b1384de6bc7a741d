import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { client } from '../api/client.ts'
import type { Query, Question } from '../api/question.ts'
import { useNumbers } from '../api/resources.ts'
import { isRow, numberIn, type Row, textIn, useAnswer } from '../api/use-answer.ts'
import { ChoiceMenu } from '../controls/choice-menu.tsx'
import { useChangeSearch, usePage, useSearchState } from '../controls/use-page.ts'
import { Figure } from '../format/figure.tsx'
import { inWords, labelOf } from '../format/labels.ts'
import { formatChange } from '../format/numbers.ts'
import { optionWords } from '../format/option-words.ts'
import { unitOf } from '../format/traits.ts'
import { AnsweredCard } from '../parts/card.tsx'
import { DrillButton } from '../parts/drill.tsx'
import { Page } from '../parts/page.tsx'
import { Problem } from '../parts/problem.tsx'
import { rowsBehind } from '../parts/rows-behind.ts'
import { Skeleton } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { FIGURES } from './explore-figures.ts'

/** A figure that a bridge can explain. */
interface BridgedFigure {
  readonly id: string
  readonly label: string
  readonly metric: string
  readonly query_type: string
  readonly dates: 'day' | 'range'
  /** The parts of the figure that have rows, and a note about them. Without any, the API chooses. */
  readonly measures: readonly string[]
  readonly note?: string
}

const HEIGHT = 320

/** The first figure. It is known before the API has said which others there are. */
const FIRST: BridgedFigure = { id: 'mrr', label: 'MRR', metric: 'mrr', query_type: 'current', dates: 'day', measures: ['mrr'] }

/** A figure under two definition sets, one option after the other, and the rows that each option changes. */
export function Bridge() {
  const { metric } = useSearchState()
  const numbers = useNumbers()
  const figures = bridged(numbers ?? [])
  const asked = figures.find(({ id }) => id === metric) ?? figures[0]
  const figure = asked ?? (metric === undefined ? FIRST : undefined)
  return (
    <Page
      title="Reconcile"
      lead="Another report says something else? Go from its definitions to yours, one option after the other, with the rows behind each step."
      controls={{ metric: figure?.metric ?? 'mrr', hasStep: false, hasCompare: false, hasPeriods: false }}
    >
      <Sets figures={asked === undefined ? [] : figures} figure={figure} />
    </Page>
  )
}

/** The menus of the figure and of the definition sets, and the steps between these. */
function Sets({ figures, figure }: { figures: readonly BridgedFigure[]; figure: BridgedFigure | undefined }) {
  const { from, to } = useSearchState()
  const change = useChangeSearch()
  const { audience, range, level } = usePage()
  const { data, error, refetch } = useDefinitionSet(undefined)
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />
  if (data === undefined || figure === undefined) return <Skeleton height={HEIGHT} />
  const { sets } = data
  const [first = '', ...others] = sets
  const start = from ?? others.at(-1) ?? first
  const end = to ?? first
  const choices = sets.map((name) => ({ value: name, label: name }))
  const days = figure.dates === 'day' ? level : range
  return (
    <>
      <div className="page-actions">
        <ChoiceMenu
          label="Metric"
          value={figure.id}
          choices={(figures.length === 0 ? [figure] : figures).map(({ id, label }) => ({ value: id, label }))}
          onChoose={(id) => change({ metric: id })}
        />
        <ChoiceMenu label="From" value={start} choices={choices} onChoose={(name) => change({ from: name })} />
        <ChoiceMenu label="To" value={end} choices={choices} onChoose={(name) => change({ to: name })} />
      </div>
      <Steps figure={figure} query={{ query_type: figure.query_type, ...days, ...audience, from: start, to: end }} />
      <Description name={start} />
      {end !== start && <Description name={end} />}
    </>
  )
}

/** The numbers of the API in the order of Explore, with its names. Others come last. */
function bridged(numbers: NonNullable<ReturnType<typeof useNumbers>>): readonly BridgedFigure[] {
  const placed = numbers.map((number) => {
    const { metric, query_type } = number
    // MRR of a day has the dimensions of its series in Explore.
    const inputs = query_type === 'current' ? 'series' : query_type
    const place = FIGURES.findIndex((figure) => figure.metric === metric && figure.inputs === inputs)
    const known = FIGURES[place]
    const figure = {
      ...number,
      id: known?.id ?? `${metric}.${query_type}`,
      label: known?.label ?? `${inWords(metric)}: ${inWords(query_type)}`,
      measures: known?.rows.measures ?? [],
      ...(known?.rows.note !== undefined && { note: known.rows.note }),
    }
    return { figure, place: known === undefined ? FIGURES.length : place }
  })
  return placed.sort((one, other) => one.place - other.place).map(({ figure }) => figure)
}

function useDefinitionSet(name: string | undefined) {
  return useQuery({
    queryKey: ['definitions', name],
    queryFn: async ({ signal }) =>
      (await client.get('/api/definitions', { query: name === undefined ? {} : { definitions: name }, signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The first sentence of the description of a definition set. The API also has the sources of its rules. */
function Description({ name }: { readonly name: string }) {
  const { data } = useDefinitionSet(name)
  if (data === undefined) return null
  return (
    <p className="muted">
      <strong>{name}</strong>: {data.description.split(/(?<=\.) /, 1)[0]}
    </p>
  )
}

/** A line of the table: an end, or a step between them. */
interface Line extends Row {
  readonly name: string
  readonly option: string | undefined
  readonly value: number | null
  readonly difference: number | null
  readonly left: number | null
}

interface StepsProps {
  readonly figure: BridgedFigure
  readonly query: Query
}

function Steps({ figure, query }: StepsProps) {
  const question: Question = { path: `/api/metrics/${figure.metric}/bridge`, query }
  const answer = useAnswer(question)
  const { currency } = usePage()
  const { measure, lines, residual } = linesOf(answer.data?.data)
  const unit = unitOf(measure)
  const change = (value: number) => formatChange(value, unit, { currency })
  const ends = lines.flatMap(({ value, left }) => [value ?? 0, left ?? 0])
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)]
  const columns: readonly Column[] = [
    {
      key: 'name',
      label: 'Step',
      render: ({ name, option }) => (option === undefined ? <strong>{String(name)}</strong> : String(name)),
    },
    {
      key: 'difference',
      label: 'Difference',
      isNumber: true,
      render: (line) => {
        const difference = numberIn(line, 'difference')
        const option = textIn(line, 'option')
        if (difference === null || option === null) return null
        if (difference === 0) return change(0)
        const { metric, measures, note } = figure
        const rows = rowsBehind(metric, { ...query, bridge_step: option }, measures)
        const drill = { title: `${labelOf(option)}: what it changes`, ...(note !== undefined && { note }), ...rows }
        return <DrillButton drill={drill}>{change(difference)}</DrillButton>
      },
    },
    {
      key: 'value',
      label: figure.label,
      isNumber: true,
      render: (line) => <Figure value={numberIn(line, 'value')} unit={unit} currency={currency} />,
    },
    { key: 'bar', label: 'Scale', render: (line) => <Bar line={line} low={low} high={high} /> },
  ]
  return (
    <AnsweredCard
      title={`${figure.label} from ${query['from']} to ${query['to']}`}
      question={question}
      answer={answer}
      height={HEIGHT}
    >
      <Table caption="Steps" columns={columns} rows={lines} currency={currency} isWhole={false} />
      <p className="card-note">
        {residual === 0
          ? 'The steps explain the whole difference: nothing is left.'
          : 'The figure has no value under one of the definitions.'}
      </p>
    </AnsweredCard>
  )
}

interface BridgeLines {
  readonly measure: string
  readonly lines: readonly Line[]
  readonly residual: number | null
}

function linesOf(data: unknown): BridgeLines {
  if (!isRow(data)) return { measure: '', lines: [], residual: null }
  const ends = [data['from'], data['to']].filter(isRow)
  const [first, last] = ends.map((end): Line => {
    return { name: textIn(end, 'definitions') ?? '', option: undefined, value: numberIn(end, 'value'), difference: null, left: 0 }
  })
  const steps: readonly unknown[] = Array.isArray(data['steps']) ? data['steps'] : []
  const between = steps.filter(isRow).map((step): Line => {
    const [value, difference] = [numberIn(step, 'value'), numberIn(step, 'difference')]
    const option = textIn(step, 'option') ?? ''
    return {
      name: `${labelOf(option)}: ${optionWords(option, step['from'])} → ${optionWords(option, step['to'])}`,
      option,
      value,
      difference,
      left: value === null || difference === null ? null : value - difference,
    }
  })
  const lines = [first, ...between, last].filter((line) => line !== undefined)
  return { measure: textIn(data, 'measure') ?? '', lines, residual: numberIn(data, 'residual') }
}

/** The part of the figure that a line adds, on the scale of all lines. */
function Bar({ line, low, high }: { readonly line: Row; readonly low: number; readonly high: number }): ReactNode {
  const [value, left] = [numberIn(line, 'value'), numberIn(line, 'left')]
  if (value === null || left === null || high === low) return null
  const share = (amount: number) => `${(amount / (high - low)) * 100}%`
  const kind = line['option'] === undefined ? 'is-end' : value < left ? 'is-down' : 'is-up'
  return (
    <div className="bridge-scale" aria-hidden="true">
      <div
        className={`bridge-bar ${kind}`}
        style={{ marginInlineStart: share(Math.min(value, left) - low), width: share(Math.abs(value - left)) }}
      />
    </div>
  )
}
