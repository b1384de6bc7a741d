import { dayIn, UTC } from '../../../core/calendar.ts'
import { AppError, ERROR_CODES } from '../../../core/errors.ts'
import { withoutControls } from '../../../core/text.ts'
import type { Answer, AskOptions, Engine, SavedDashboard } from '../../../engine/engine.ts'
import { ask } from '../ask.ts'
import { type Asking, type BriefingPlan, LeftOut, type Part } from './briefing.ts'
import { chartBlock } from './chart-block.ts'
import { savedQuestion } from './saved-question.ts'

/** `names`: whether blocks may show customers. */
export interface Audience {
  readonly names: boolean
}

type Chart = SavedDashboard['sections'][number]['charts'][number]

/** The question is about customers. */
class ShowsCustomers extends Error {}

const OF_CUSTOMERS = 'A chart of customers'
const NO_CUSTOMERS = 'It shows or singles out customers, which this audience does not see.'

/** The briefing of a saved dashboard: a block for each chart, in its order. A chart that cannot be asked is left out with the reason. */
export function dashboardPlan(dashboard: SavedDashboard, audience: Audience): BriefingPlan {
  const { id, name, sections } = dashboard
  let today: string | undefined
  // The facts of the service, and its current day: those of the page.
  const facts: Part = {
    title: 'Facts',
    async ask(asking) {
      today = dayOf(asking.seen(await askFacts(asking)), asking.today)
      return undefined
    },
  }
  const hasSections = sections.filter(({ charts }) => charts.length > 0).length > 1
  const parts = sections.flatMap((section) =>
    section.charts.map((chart): Part => {
      const title = hasSections ? `${section.title}: ${chart.chart.name}` : chart.chart.name
      const page = `dashboards/${id}`
      return { title, ask: (asking) => askChart(chart, { title, page }, today ?? asking.today, asking, audience) }
    }),
  )
  return {
    name: id,
    daysOf: (day) => ({ start: day, end: day }),
    titleOf: () => withoutControls(name),
    isRunning: true,
    parts: [facts, ...parts],
  }
}

/** The page asks the same to know its day. Logo churn needs no exchange rate. */
async function askFacts({ engine, options }: Pick<Asking, 'engine' | 'options'>): Promise<Answer> {
  try {
    return await engine.query('mrr', {}, {}, options)
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return engine.query('churn', { query_type: 'logo', range: 'last-month' }, {}, options)
  }
}

async function askChart(
  { chart }: Chart,
  place: { readonly title: string; readonly page: string },
  today: string,
  { engine, options, seen, warn }: Asking,
  audience: Audience,
) {
  try {
    const question = savedQuestion(engine, chart.config, today)
    const answer = await ask(engine, question.metric, question.request, { ...options, ...limitsOf(audience) })
    return chartBlock(place, question, seen(answer), warn)
  } catch (error) {
    throw leftOut(error, place.title, audience)
  }
}

/** A chart that cannot be asked, with the reason. Other errors stay. */
function leftOut(error: unknown, title: string, { names }: Audience): unknown {
  // The title of such a chart may be a customer's name.
  if (error instanceof ShowsCustomers) return new LeftOut(OF_CUSTOMERS, NO_CUSTOMERS)
  // Failures of the database are those of the whole briefing.
  if (!(error instanceof AppError) || error.status >= 500) return error
  // A message may quote a filter.
  return new LeftOut(title, names ? error.message : `${ERROR_CODES[error.code].title}.`)
}

/** The current day of the service: that of its data, or of the clock if nobody knows how far the data reaches. */
function dayOf({ meta }: Answer, clockDay: string): string {
  return meta.data_through === null ? clockDay : dayIn(meta.time_zone ?? UTC, new Date(meta.data_through))
}

/** The rows of a chart without customers, as its block would ask them. AppError `unsupported_by_connector` if it shows customers or cannot be asked. */
export async function chartAnswer(engine: Engine, { config, name }: Chart['chart'], clockDay: string): Promise<Answer> {
  const audience = { names: false }
  try {
    const today = dayOf(await askFacts({ engine, options: {} }), clockDay)
    const question = savedQuestion(engine, config, today)
    return await ask(engine, question.metric, question.request, limitsOf(audience))
  } catch (error) {
    const reason = leftOut(error, name, audience)
    if (!(reason instanceof LeftOut)) throw reason
    const detail = `The rows of this chart cannot be shared: ${reason.message}`
    throw new AppError('unsupported_by_connector', detail, { context: { missing: [] } })
  }
}

/** Without names, a question is refused before it is asked, by the rule of the scope `read:aggregate`. */
function limitsOf({ names }: Audience): AskOptions {
  if (names) return {}
  return {
    numbersOnly: true,
    disclosing(shown) {
      if (shown.length > 0) throw new ShowsCustomers()
    },
  }
}
