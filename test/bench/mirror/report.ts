import type { Cost } from './processor.ts'
import type { Rate } from './request-rate.ts'

/** A finding of a part: times, a rate of requests, or a text. */
export type Measured = Cost | Rate | string

/** The findings in one database, by title. */
export interface Outcome {
  readonly target: string
  readonly subscriptions: number
  readonly accounts: number
  /** Version and settings of the server, and the load of the machine. */
  readonly circumstances: string
  /** Commits, the one of comparison first. */
  readonly checkouts: readonly string[]
  /** Of the database alone: the floor and the incumbent. */
  readonly alone: Readonly<Record<string, Measured>>
  /** Of each checkout. */
  readonly served: readonly Readonly<Record<string, Measured>>[]
  /** Whether the checkouts gave the same thirteen answers. */
  readonly agreement: string
}

/** Markdown of outcomes: a section for each database, then the growth between sizes of a server. */
export function markdownOf(outcomes: readonly Outcome[]): string {
  const targets = [...new Set(outcomes.map(({ target }) => target))]
  return [
    ...outcomes.map(section),
    ...targets.flatMap((target) => growth(outcomes.filter((each) => each.target === target))),
  ].join('\n')
}

function section(outcome: Outcome): string {
  const { target, subscriptions, accounts, circumstances, checkouts, served, alone, agreement } = outcome
  const titles = [...new Set(served.flatMap((each) => Object.keys(each)))]
  const has = (title: string, test: (measured: Measured) => boolean) =>
    served.some((each) => each[title] !== undefined && test(each[title]))
  const ratio = checkouts.length > 1 ? ['Ratio'] : []
  const costs = titles.filter((title) => has(title, isCost))
  const rates = titles.filter((title) => has(title, isRate))
  const texts = titles.filter((title) => has(title, isText))
  return [
    `### ${target}, ${subscriptions.toLocaleString('en')} subscriptions`,
    `${accounts.toLocaleString('en')} accounts; ${circumstances}. ${agreement}`.trim(),
    table(
      ['The database alone', 'Clock', 'Its processor'],
      Object.entries(alone).map(([title, found]) => [
        title,
        ...(isCost(found) ? [time(found.clock), time(found.database)] : [String(found), '']),
      ]),
    ),
    table(
      ['Work', ...checkouts.flatMap((name) => [`${name}: clock`, 'service', 'database']), ...ratio],
      costs.map((title) => {
        const found = served.map((each) => each[title])
        const cells = found.flatMap((each) =>
          isCost(each) ? [time(each.clock), time(each.service), time(each.database)] : ['', '', ''],
        )
        return [
          title,
          ...cells,
          ...ratioOf(
            ratio,
            found.map((each) => (isCost(each) ? processor(each) : undefined)),
          ),
        ]
      }),
    ),
    table(
      ['Requests', ...checkouts.flatMap((name) => [`${name}: a second`, 'service each', 'p50; p99']), ...ratio],
      rates.map((title) => {
        const found = served.map((each) => each[title])
        return [
          title,
          ...found.flatMap(rateCells),
          ...ratioOf(
            ratio,
            found.map((each) => (isRate(each) ? each.service : undefined)),
          ),
        ]
      }),
    ),
    table(
      ['', ...checkouts],
      texts.map((title) => [title, ...served.map((each) => (isText(each[title]) ? each[title] : ''))]),
    ),
  ]
    .filter((part) => part !== '')
    .map((part) => `${part}\n`)
    .join('\n')
}

function rateCells(found: Measured | undefined): readonly string[] {
  if (!isRate(found)) return ['', '', '']
  const refused = found.refused === 0 ? '' : ` (${found.refused} refused)`
  return [
    `${found.a_second.toFixed(found.a_second < 10 ? 1 : 0)}${refused}`,
    time(found.service),
    `${time(found.p50)}; ${time(found.p99)}`,
  ]
}

/** The exponents with which times grow: 1 is as the subscriptions do. */
function growth(outcomes: readonly Outcome[]): readonly string[] {
  const sizes = [...outcomes].sort((a, b) => a.subscriptions - b.subscriptions)
  const steps = sizes.slice(1).map((to, index) => ({ from: sizes[index] ?? to, to }))
  const checkout = sizes.at(-1)?.checkouts.at(-1)
  const last = sizes.at(-1)?.served.at(-1)
  if (steps.length === 0 || checkout === undefined || last === undefined) return []
  const exponent = (step: (typeof steps)[number], title: string, of: (cost: Cost) => number | undefined): string => {
    const [from, to] = [step.from, step.to].map(({ checkouts, served }) => served[checkouts.indexOf(checkout)]?.[title])
    const [a, b] = [isCost(from) ? of(from) : undefined, isCost(to) ? of(to) : undefined]
    if (!a || !b) return ''
    return (Math.log(b / a) / Math.log(step.to.subscriptions / step.from.subscriptions)).toFixed(2)
  }
  const titles = Object.keys(last).filter((title) => isCost(last[title]))
  const heads = steps.map(
    ({ from, to }) => `${from.subscriptions.toLocaleString('en')} to ${to.subscriptions.toLocaleString('en')}`,
  )
  return [
    `### ${sizes[0]?.target}: growth of ${checkout}\n`,
    'Exponents of clock and processor: 1 means that the time grows as the subscriptions do.\n',
    `${table(
      ['Work', ...heads.flatMap((head) => [`${head}: clock`, 'processor'])],
      titles.map((title) => [
        title,
        ...steps.flatMap((step) => [exponent(step, title, ({ clock }) => clock), exponent(step, title, processor)]),
      ]),
    )}\n`,
  ]
}

function ratioOf(wanted: readonly string[], found: readonly (number | undefined)[]): readonly string[] {
  if (wanted.length === 0) return []
  const [before, now] = found
  return [before && now ? (before / now).toPrecision(2).replace(/e\+(\d+)$/, 'e$1') : '']
}

/** Processor time of service and database together. */
function processor({ service, database }: Cost): number | undefined {
  return service === null && database === null ? undefined : (service ?? 0) + (database ?? 0)
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

function time(milliseconds: number | null): string {
  if (milliseconds === null) return '–'
  if (milliseconds >= 10_000) return `${(milliseconds / 1000).toFixed(0)} s`
  if (milliseconds >= 1_000) return `${(milliseconds / 1000).toFixed(1)} s`
  return `${milliseconds >= 10 ? milliseconds.toFixed(0) : milliseconds.toFixed(1)} ms`
}

function isCost(measured: Measured | undefined): measured is Cost {
  return typeof measured === 'object' && 'clock' in measured
}

function isRate(measured: Measured | undefined): measured is Rate {
  return typeof measured === 'object' && 'a_second' in measured
}

function isText(measured: Measured | undefined): measured is string {
  return typeof measured === 'string'
}
