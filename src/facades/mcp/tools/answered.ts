import { askOperation, type Operation } from '../../presentation/ask.ts'
import { answerText } from '../answer-text.ts'
import { pageLink } from '../page-link.ts'
import type { ToolCall } from '../tool.ts'

/** Asks the engine, amounts in units, and writes its answer; `what` is the metric or list that it is about. */
export async function answered(call: ToolCall<unknown>, operation: Operation, what: string, title = what): Promise<string> {
  const { request, options, page } = call
  const inUnits = { ...request, params: { ...request.params, money: 'units' } }
  const answer = await askOperation(operation, inUnits, options)
  const link = pageLink(page, what, request)
  const text = answerText(answer, title, Number(request.params['offset'] ?? 0))
  return link === undefined ? text : `${text}\n${shownAt(link)}`
}

/** The line that leads people to the page. */
export function shownAt(link: string): string {
  return `Shown to people at ${link}`
}
