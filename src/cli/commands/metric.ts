import type { Command } from '../command.ts'
import { type OptionName, QUERY_OPTIONS } from '../options.ts'
import { answerQuestion, type Question } from './question.ts'

/** A command that is one engine query. */
export interface MetricCommand {
  readonly name: string
  readonly description: string
  readonly metric: string
  /** Fixed by the command; absent where the engine's default is meant or the user chooses. */
  readonly query_type?: string
  readonly options: readonly OptionName[]
  /** True where the figure is one of a range: `start` and `end` must be given. */
  readonly isOfRange?: true
  readonly subCommands?: readonly Command[]
}

/** Declares a command that asks the engine for one figure of a metric and prints the answer. */
export function metricCommand({
  name,
  description,
  metric,
  query_type,
  options,
  isOfRange,
  subCommands,
}: MetricCommand): Command {
  const fixed = query_type === undefined ? {} : { query_type }
  const question: Question = {
    operation: (engine) => (params, spec, settings) => engine.query(metric, { ...params, ...fixed }, spec, settings),
  }
  return {
    name,
    description,
    options: [...options, ...QUERY_OPTIONS],
    ...(isOfRange === undefined ? {} : { required: ['start', 'end'] }),
    ...(subCommands === undefined ? {} : { subCommands }),
    run: (invocation) => answerQuestion(question, invocation),
  }
}
