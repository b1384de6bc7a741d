import { InternalError } from '../core/errors.ts'

/** A place in a template that breaks the contract; line and column count from 1. */
export interface TemplateProblem {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
}

/** All contract breaches found in one go, each with its place. */
export class TemplateError extends InternalError {
  readonly problems: readonly TemplateProblem[]

  constructor(problems: readonly TemplateProblem[]) {
    super(problems.map((problem) => `${problem.file}:${problem.line}:${problem.column}: ${problem.message}`).join('\n'))
    this.name = 'TemplateError'
    this.problems = problems
  }
}
