import type { Locator, Page } from 'playwright-core'
import { clickPlace } from './click-chart.ts'

/** One click or choice on the page. Typing into a field counts as the click into it. */
export interface Click {
  /** Its name in the documentation. */
  readonly told: string
  act(page: Page): Promise<void>
}

/** A question, the clicks from the Overview to its answer, and where the answer is. */
export interface Walk {
  /** The question in docs/questions.md. */
  readonly question: string
  readonly clicks: readonly Click[]
  readonly seen: { readonly place: 'region' | 'dialog' | 'file'; readonly name: string }
  /** Texts of the API's answer that the page must show, line by line. */
  expected(answer: unknown): readonly (readonly string[])[]
  /** Whether the API rejects the question, which a browser reports as an error. */
  readonly isRefused?: boolean
}

type Role = Parameters<Page['getByRole']>[0]

const one = (told: string, find: (page: Page) => Locator): Click => ({ told, act: (page) => find(page).click() })

/** A page of the menu. */
export function link(name: string): Click {
  return one(name, (page) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }))
}

/** A metric on the Overview. It links to its page. */
export function figure(name: string): Click {
  return one(name, (page) => page.locator('.tile-link').filter({ hasText: name }))
}

/** A button of the page or of a card. */
export function choice(name: string, card?: string): Click {
  if (card === undefined) return one(name, (page) => page.getByRole('button', { name }).first())
  return one(`${name} (${card})`, (page) => page.getByRole('region', { name: card, exact: true }).getByRole('button', { name }))
}

/** An item of a menu or card. */
export function item(role: Role, name: string): Click {
  return one(name, (page) => page.getByRole(role, { name, exact: true }))
}

/** A search result. */
export function offered(name: string): Click {
  return one(name, (page) => page.getByRole('option').filter({ has: page.getByText(name, { exact: true }) }))
}

/** A number in a table, by the title of its rows. */
export function entry(opens: string): Click {
  return one(opens, (page) => page.getByTitle(`Show ${opens}`, { exact: true }))
}

/** Types into the focused field. */
export function words(text: string): Click {
  return { told: `“${text}”`, act: (page) => page.keyboard.type(text) }
}

/** A place of a chart. */
export function point(place: string, card: string): Click {
  return {
    told: `${place} (${card})`,
    act: (page) => clickPlace(page.getByRole('region', { name: card, exact: true }).getByRole('img'), place),
  }
}

/** The row of a walk in the documentation. */
export function documented({ question, clicks, seen }: Walk): string {
  const anchor = question
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-')
  const place = seen.place === 'file' ? 'the file' : seen.place === 'dialog' ? `the panel *${seen.name}*` : `*${seen.name}*`
  return `| [${question}](questions.md#${anchor}) | ${clicks.map(({ told }) => told).join(' → ')} | ${place} |`
}
