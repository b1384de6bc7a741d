import type { components } from '../../client/index.ts'
import type { Unit } from '../../core/column.ts'
import { formatChange, formatValue, NO_VALUE } from '../format/numbers.ts'

export type SharedPage = components['schemas']['SharedPage']
type Block = SharedPage['briefing']['blocks'][number]

/** A value of a block: an amount in cents of the base currency, another number, or a text. */
type Shown = number | string | null

interface Figure {
  readonly title: string
  readonly value: Shown
  readonly unit: Unit
  readonly days: string
  readonly change?: number
}

interface Table {
  readonly columns: readonly { readonly title: string; readonly unit?: Unit }[]
  readonly rows: readonly (readonly Shown[])[]
  readonly more: number
  readonly hasBars: boolean
}

/** The page of a link. Everything of the data is text: nothing of it becomes markup. */
export function sharedPage({ briefing, moment, as_of, expires_at }: SharedPage): readonly Node[] {
  const { title, blocks, base_currency: currency } = briefing
  const kind = moment === 'fixed' ? 'Fixed' : 'Live'
  return [
    element('header', { class: 'shared-head' }, [
      element('h1', {}, [title]),
      element('p', { class: 'muted' }, [`${kind}, as of ${instantText(as_of)}. This link ends on ${expires_at.slice(0, 10)}.`]),
    ]),
    ...blocks.map((block) => section(block, currency)),
    ...(blocks.length === 0 ? [element('p', {}, ['This page has no numbers.'])] : []),
    element(
      'footer',
      { class: 'shared-foot muted' },
      factsOf(briefing).map((fact) => element('p', {}, [fact])),
    ),
  ]
}

/** A page that says why it has no numbers. */
export function problemOf(text: string): readonly Node[] {
  return [element('h1', {}, ['Nothing to show']), element('p', { role: 'alert' }, [text])]
}

function section(block: Block, currency: string): Node {
  return element('section', { class: 'shared-block' }, [element('h2', {}, [block.title]), content(block, currency)])
}

function content(block: Block, currency: string): Node {
  const raw: unknown = block
  switch (block.kind) {
    case 'figures':
      return element(
        'dl',
        { class: 'shared-figures' },
        (raw as { figures: readonly Figure[] }).figures.map((one) => figure(one, currency)),
      )
    case 'table':
      return table(raw as Table, block.title, currency)
    case 'sentences':
      return element(
        'div',
        {},
        (raw as { sentences: readonly string[] }).sentences.map((text) => element('p', {}, [text])),
      )
    default:
      return element('p', { class: 'muted' }, ['This part cannot be shown here.'])
  }
}

function figure({ title, value, unit, days, change }: Figure, currency: string): Node {
  const changed =
    change === undefined ? [] : [element('span', {}, [` ${formatChange(change, unit, { currency, precise: true })}`])]
  return element('div', {}, [
    element('dt', {}, [title, element('span', { class: 'muted' }, [` ${days}`])]),
    element('dd', {}, [element('strong', {}, [valueText(value, unit, currency)]), ...changed]),
  ])
}

function table({ columns, rows, more, hasBars }: Table, title: string, currency: string): Node {
  const shares = hasBars ? sharesOf(rows.map(([, value]) => value)) : undefined
  const align = (unit: Unit | undefined) => (unit === undefined ? {} : { class: 'is-number' })
  const head = columns.map(({ title: name, unit }) => element('th', { scope: 'col', ...align(unit) }, [name]))
  const lines = rows.map((row, place) => {
    const cells = row.map((value, index) => {
      const unit = columns[index]?.unit
      return element('td', align(unit), [valueText(value, unit, currency)])
    })
    return element('tr', {}, [...cells, ...(shares === undefined ? [] : [bar(shares[place] ?? 0)])])
  })
  const bars = shares === undefined ? [] : [element('td', { class: 'shared-bar' }, [])]
  return element('div', { class: 'shared-scroll', role: 'region', 'aria-label': title, tabindex: '0' }, [
    element('table', {}, [element('thead', {}, [element('tr', {}, [...head, ...bars])]), element('tbody', {}, lines)]),
    ...(more === 0
      ? []
      : [element('p', { class: 'muted' }, [more === 1 ? 'One more is left out.' : `${more} more are left out.`])]),
  ])
}

/** The share that each bar has of the longest one. Undefined if bars would mislead. */
function sharesOf(values: readonly (Shown | undefined)[]): readonly number[] | undefined {
  const numbers = values.filter((value) => typeof value === 'number')
  const highest = Math.max(0, ...numbers)
  if (numbers.length < 2 || highest === 0 || numbers.some((value) => value < 0)) return undefined
  return values.map((value) => (typeof value === 'number' ? value / highest : 0))
}

function bar(share: number): Node {
  const filled = element('div', { class: 'shared-fill' }, [])
  // The policy of the page allows no style in markup.
  filled.style.setProperty('width', `${Math.round(share * 100)}%`)
  return element('td', { class: 'shared-bar', 'aria-hidden': 'true' }, [filled])
}

function valueText(value: Shown, unit: Unit | undefined, currency: string): string {
  if (value === null) return NO_VALUE
  return typeof value === 'string' ? value : formatValue(value, unit ?? 'count', { currency, precise: true })
}

function factsOf({
  data_through,
  base_currency,
  time_zone,
  definitions,
  left_out,
  warnings,
}: SharedPage['briefing']): readonly string[] {
  const through = data_through === null ? 'an unknown instant' : instantText(data_through)
  return [
    `The data reaches ${through}. Amounts are in ${base_currency}, and days in ${time_zone ?? 'UTC'}. Definitions ${definitions}.`,
    ...left_out.map(({ title, reason }) => `Without “${title}”: ${reason}`),
    ...warnings,
  ]
}

function instantText(instant: string): string {
  return `${instant.slice(0, 16).replace('T', ' ')} UTC`
}

function element(name: string, attributes: Readonly<Record<string, string>>, children: readonly (Node | string)[]): HTMLElement {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
  made.append(...children)
  return made
}
