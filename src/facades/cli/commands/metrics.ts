import type { MetricCommand, MetricDefinition, MetricRoute } from '../../../engine/engine.ts'
import { type Command, type CommandInput, optionValue, UsageError } from '../command.ts'
import { COMMON_OPTIONS, type OptionName, optionsOf, QUERY_OPTIONS, RANGE_OPTIONS } from '../options.ts'
import { type CommandDays, usualDaysText, usualRange } from '../usual-days.ts'
import { answerQuestion, type Question } from './question.ts'

/** The commands of a metric, from the routes of its definition. Each command is one engine query. `mrr breakdown` is below `mrr`. */
export function metricCommands({ name, summary, routes }: MetricDefinition): readonly Command[] {
  const commands = routes.flatMap((route) => commandsOf(name, route))
  const words = new Set(commands.map((command) => firstWord(command.name)))
  return [...words].map((word) => {
    const own = commands.find((command) => command.name === word) ?? {
      name: word,
      description: summary,
      options: [],
    }
    const below = commands.filter((command) => command !== own && firstWord(command.name) === word)
    return below.length === 0 ? own : { ...own, subCommands: below }
  })
}

function commandsOf(metric: string, { query_type, command }: MetricRoute): readonly Command[] {
  if (command === undefined) return []
  const fixed = query_type === undefined ? {} : { query_type }
  const operation: Question['operation'] = (engine) => (params, spec, settings) =>
    engine.query(metric, { ...params, ...fixed }, spec, settings)
  const isNeeded = command.required.length > 0
  const days = (input: CommandInput): CommandDays => {
    const hasPeriods = input.values.has('granularity') || input.values.has('interval')
    // A query that answers a day or a range needs the range if its periods are asked for.
    const isSeries = input.values.has('granularity') && !input.values.has('at') && command.parameters.includes('start')
    return {
      isNeeded: isNeeded || isSeries,
      usual: usualRange(metric, query_type ?? optionValue(input, 'query-type'), hasPeriods),
    }
  }
  // Only a query about one month has this parameter.
  const isMonth = command.parameters.includes('period')
  return command.names.map((name) => ({
    name,
    description: command.description,
    ...(isMonth
      ? {
          positionals: [MONTH],
          texts: {
            period: { valueHint: 'month', description: MONTH.description },
          },
        }
      : {}),
    options: [...optionsOf(command.parameters).flatMap(withShortForms), ...QUERY_OPTIONS],
    ...(isNeeded ? { dates: usualDaysText(metric, query_type) } : {}),
    names: `fields ${metric.replaceAll('_', '-')}`,
    dimensions: command.dimensions,
    filters: command.filters,
    examples: examplesOf(name, command),
    run: (invocation) =>
      answerQuestion(
        { operation, command: name, metric, days, isMonth },
        isMonth ? { ...invocation, input: withMonth(invocation.input) } : invocation,
      ),
  }))
}

const MONTH = {
  name: 'month',
  description: 'The month, such as 2026-09 or last-month; default: the last one that has been over for a day',
  optional: true,
} as const

/** The month as an option. */
function withMonth({ positionals: [month, ...positionals], ...input }: CommandInput): CommandInput {
  if (month === undefined) return { ...input, positionals }
  if (input.values.has('period')) throw new UsageError(['--period repeats the month: give one or the other'])
  return {
    ...input,
    positionals,
    values: new Map([...input.values, ['period', [month]]]),
  }
}

const START = '--start 2026-01-01 --end 2026-06-30'

/** Examples: the plain query, the query by one dimension, and a filtered query written to a file. */
function examplesOf(name: string, { parameters, dimensions }: MetricCommand): readonly string[] {
  const group = EXAMPLE_DIMENSIONS.find((dimension) => dimensions.includes(dimension))
  const range = parameters.includes('start') ? `${name} ${START}` : name
  return [
    name,
    ...(group === undefined ? [] : [`${name} --dimension ${group}`]),
    ...(parameters.includes('filter') && group !== undefined
      ? [`${range} --filter currency=EUR --format csv -o ${name.replaceAll(' ', '-')}.csv`]
      : []),
  ]
}

const EXAMPLE_DIMENSIONS: readonly string[] = ['plan_id', 'customer_country', 'currency', 'account_type', 'vendor_name']

const ALWAYS_ACCEPTED: readonly OptionName[] = [...QUERY_OPTIONS, ...COMMON_OPTIONS]

// Replaces an option by itself and the options that exist only on the command line and abbreviate or extend it.
function withShortForms(option: OptionName): readonly OptionName[] {
  if (option === 'range') return RANGE_OPTIONS
  return ALWAYS_ACCEPTED.includes(option) ? [] : [option]
}

function firstWord(name: string): string {
  return name.split(' ', 1)[0] ?? name
}
