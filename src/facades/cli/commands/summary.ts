import type { Command } from '../command.ts'
import { QUERY_OPTIONS, RANGE_OPTIONS } from '../options.ts'
import { figuresText } from '../summary-text.ts'
import { answerQuestion, type Question } from './question.ts'

const QUESTION: Question = {
  command: 'summary',
  metric: 'summary',
  operation: (engine) => (params, spec, settings) => engine.summary(params, spec, settings),
  text: figuresText,
}

/** The headline figures. */
export const SUMMARY_COMMAND: Command = {
  name: 'summary',
  description: 'The headline figures at the end of a day, each with the window it refers to',
  options: ['start', 'end', ...RANGE_OPTIONS, ...QUERY_OPTIONS],
  run: (invocation) => answerQuestion(QUESTION, invocation),
}
