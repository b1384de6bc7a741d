import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { PRESETS } from '../../../src/web/controls/ranges.ts'
import { isInTurn } from '../../support/databases/rotation.ts'
import type { ServedPage, Visit } from '../../support/product/served-page.ts'

/** A number as a page shows it. */
interface Shown {
  readonly unit: 'money' | 'fraction' | 'count'
  readonly value: number
  /** Digits after the point. */
  readonly digits: number
}

const NUMBER = /^([+−-]?)([^\d+−-]*)([+−-]?)([\d,]+)(?:\.(\d+))?\s?(%)?$/
/** Columns and headlines that are no sum of the rows behind them: quotients of two sums, and parts of a formula that the panel explains. */
const AVERAGES = ['ARPU', 'Revenue per customer']
const FORMULAS = ['LTV', 'Lifetime value', 'Quick ratio']

/** Reads a number with its unit; undefined for another text. */
export function numberShown(text: string): Shown | undefined {
  const [, sign = '', currency = '', after = '', whole, digits = '', percent] = NUMBER.exec(text.trim()) ?? []
  if (whole === undefined) return undefined
  const size = Number(`${whole.replaceAll(',', '')}.${digits || '0'}`)
  const unit = percent === undefined ? (currency.trim() === '' ? 'count' : 'money') : 'fraction'
  return { unit, value: /[−-]/.test(sign + after) ? -size : size, digits: digits.length }
}

/** Whether two numbers are the same, as far as both show it. Losses are positive in rates and negative in movements. */
function isSame(one: Shown, other: number): boolean {
  const step = 10 ** -one.digits
  return Math.abs(Math.abs(one.value) - Math.abs(other)) <= step / 2 + 1e-9
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
const textOf = async (place: Locator) => ((await place.count()) === 0 ? '' : oneLine(await place.first().innerText()))

/** Opens the rows behind a number, and says in what they differ from it. Undefined if they do not. */
export async function differenceBehind(
  { page, settled }: Pick<Visit, 'page' | 'settled'>,
  button: Locator,
  name: string,
): Promise<string | undefined> {
  const text = oneLine(await button.innerText())
  const shown = numberShown(text)
  await button.click()
  const panel = page.getByRole('dialog')
  await panel.waitFor()
  await settled()
  const total = numberShown(await textOf(panel.locator('.panel-total .figure')))
  const count = numberShown((await textOf(panel.locator('.panel-sum .muted'))).split(' ')[0] ?? '')
  const problem = (await panel.getByRole('alert').count()) > 0 ? await textOf(panel.getByRole('alert')) : undefined
  const divisor = AVERAGES.some((one) => name.endsWith(one)) ? await divisorIn({ page, settled }) : undefined
  const isEmpty = count === undefined && (await panel.locator('.muted').count()) === 0
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  if (problem !== undefined) return `${name}: ${text} leads to ${problem}`
  if (isEmpty) return `${name}: ${text} leads to nothing`
  if (shown === undefined || shown.unit === 'fraction' || FORMULAS.some((one) => name.endsWith(one))) return undefined
  const is = (value: number | undefined) => value !== undefined && isSame(shown, value)
  const told = `${name}: ${text} leads to ${total?.value} and ${count?.value} rows`
  if (divisor !== undefined)
    return total === undefined || is(total.value / divisor) ? undefined : `${told}, divided by ${divisor}`
  if (total?.unit === shown.unit) return is(total.value) ? undefined : told
  // A number of customers is the number of rows.
  return shown.unit === 'money' || is(count?.value) ? undefined : told
}

/** The second part of an average in the open panel. Undefined if the panel has one part. */
async function divisorIn({ page, settled }: Pick<Visit, 'page' | 'settled'>): Promise<number | undefined> {
  const panel = page.getByRole('dialog')
  const part = panel.getByRole('group', { name: 'Part of the number' }).getByRole('button').nth(1)
  if ((await part.count()) === 0) return undefined
  await part.click()
  await settled()
  return numberShown(await textOf(panel.locator('.panel-total .figure')))?.value
}

/** The tiles of the overview in a range. Each leads to a headline of its name with its days, its number and its change. */
export async function tilesThatDiffer(visit: Visit, range: string): Promise<readonly string[]> {
  const { page, go, settled } = visit
  const problems: string[] = []
  const address = `/?range=${range}`
  await go(address)
  const fields = await page.locator('.tile').evaluateAll((tiles) => tiles.map((tile) => tile.getAttribute('data-field') ?? ''))
  for (const field of fields) {
    const tile = page.locator(`.tile[data-field=${field}]`)
    const isShort = (await tile.locator('.tile-foot > .muted').count()) === 0
    const label = await textOf(tile.locator('.tile-label'))
    const parts = ['.tile-days', '.tile-value', '.tile-foot'].map((part) => textOf(tile.locator(part)))
    const told = (await Promise.all(parts)).join(' | ')
    await tile.locator('.tile-link').click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor({ state: 'detached' })
    await settled()
    const headline = page.locator('.headline').filter({ has: page.getByRole('heading', { name: label, exact: true }) })
    const found = ['.headline-window', '.headline-value', 'span.headline-foot'].map((part) => textOf(headline.locator(part)))
    const read = (await Promise.all(found)).join(' | ')
    // The page says once what its leading tiles are compared with.
    if (read !== told && !(isShort && read.startsWith(`${told} `))) problems.push(`${range}: ${label}: ${told} leads to ${read}`)
    const number = headline.locator('.headline-value .cell-button')
    const behind = (await number.count()) === 0 ? undefined : await differenceBehind(visit, number, `${range}: ${label}`)
    if (behind !== undefined) problems.push(behind)
    await go(address)
  }
  return problems
}

/** All numbers of a page that open rows, of which each table has its first and its last line. */
export async function cellsThatDiffer(visit: Visit, path: string): Promise<readonly string[]> {
  const { page, go, settled } = visit
  await go(path)
  const problems: string[] = []
  const note = (problem: string | undefined) => {
    if (problem !== undefined) problems.push(`${path}: ${problem}`)
  }
  const charts = page.locator('main .card').getByRole('button', { name: 'Table', exact: true })
  // Each click turns a chart into a table, and its button into another one.
  while ((await charts.count()) > 0) await charts.first().click()
  await settled()
  for (const headline of await page.locator('main .headline').all()) {
    const name = await textOf(headline.locator('.headline-label'))
    for (const button of await headline.locator('.cell-button').all()) note(await differenceBehind(visit, button, name))
  }
  for (const card of await page.locator('main .card').all()) {
    const title = await textOf(card.locator('h2'))
    const heads = (await card.locator('thead th').allInnerTexts()).map((head) => oneLine(head).replace(/ [↑↓]$/, ''))
    const lines = await card.locator('tbody tr').all()
    for (const line of new Set([lines[0], lines.at(-1)]))
      for (const [place, cell] of (await (line?.locator('td').all() ?? [])).entries()) {
        const button = cell.locator('.cell-button')
        if ((await button.count()) === 1) note(await differenceBehind(visit, button, `${title}, ${heads[place]}`))
      }
    note(await sentencesThatDiffer(visit, card, title))
  }
  const notice = page.locator('main .notice')
  if ((await notice.count()) > 0) note(await noticeThatDiffers(visit, notice.first()))
  return problems
}

/** The first sentence whose amount is not that of its rows. */
async function sentencesThatDiffer({ page, settled }: Visit, card: Locator, title: string): Promise<string | undefined> {
  for (const sentence of await card.locator('.sentences li').all()) {
    const button = sentence.getByRole('button')
    if ((await button.count()) === 0) continue
    const text = oneLine(await sentence.innerText())
    const told = numberShown(/([\d,]+\.\d\d)/.exec(text)?.[1] ?? '')
    await button.click()
    await settled()
    const total = await panelTotal(page)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    if (told !== undefined && (total === undefined || !isSame(told, total.value)))
      return `${title}: “${text}” leads to ${total?.value}`
  }
  return undefined
}

async function panelTotal(page: Page): Promise<Shown | undefined> {
  await page.getByRole('dialog').locator('.panel-sum').waitFor()
  return numberShown(await textOf(page.getByRole('dialog').locator('.panel-total .figure')))
}

/** A notice begins with the number of its rows. */
async function noticeThatDiffers({ page, settled }: Visit, notice: Locator): Promise<string | undefined> {
  const told = oneLine(await notice.innerText())
  await notice.getByRole('button').click()
  await settled()
  const rows = await textOf(page.getByRole('dialog').locator('.panel-sum .muted'))
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  return told.split(' ')[0] === rows.split(' ')[0] ? undefined : `“${told}” leads to ${rows}`
}

const RANGES = PRESETS.map(({ range }) => range)
/** Pages whose numbers open rows. */
const PAGES = ['/', '/mrr', '/churn', '/churn?view=revenue', '/ltv', '/trials', '/usage', '/retention']
/** Every tile costs a page, so a usual run takes one range in seven, and one page. */
const SHARE = 7
const LOOKS = [
  { width: 360, theme: 'dark' },
  { width: 768, theme: 'light' },
  { width: 1440, theme: 'dark' },
] as const
const PATIENCE_MS = 240_000

/** One label, one number: every tile, card and notice leads to its own number, in each range that the page offers. */
export function oneNumber(served: ServedPage, isWhole: boolean): void {
  describe('one label, one number', () => {
    const ranges = RANGES.filter((_, place) => isWhole || isInTurn(place, SHARE))
    const pages = PAGES.filter((_, place) => isWhole || isInTurn(place, SHARE))

    it.each(ranges)(
      'the tiles of %s lead to their numbers, and these to their rows',
      async (range) => {
        const visit = await served.show('/')
        expect(await tilesThatDiffer(visit, range)).toEqual([])
        expect(visit.problems).toEqual([])
      },
      PATIENCE_MS,
    )

    it.each(pages)(
      'the numbers of %s lead to rows that add up to them',
      async (path) => {
        const visit = await served.show('/')
        const address = (range: string) => `${path}${path.includes('?') ? '&' : '?'}range=${range}`
        const chosen = RANGES.filter((_, place) => isInTurn(place + PAGES.indexOf(path), SHARE))
        for (const range of isWhole ? chosen : chosen.slice(0, 1))
          expect(await cellsThatDiffer(visit, address(range))).toEqual([])
        expect(visit.problems).toEqual([])
      },
      PATIENCE_MS,
    )

    it.each(LOOKS)('the tiles at $width px, $theme, are the same numbers and fit', async (look) => {
      const wide = await served.show('/')
      const numbers = () => wide.page.locator('.tile-value').allInnerTexts()
      const told = await numbers()
      const { page, overflow, accessibility } = await served.show('/', look)
      expect(await page.locator('.tile-value').allInnerTexts()).toEqual(told)
      expect([await overflow(), await accessibility('colours')]).toEqual([0, []])
      // The tiles leave no hole: every row ends at the right edge.
      const edges = await page
        .locator('.tiles:not(.is-leading) .tile')
        .evaluateAll((tiles) => tiles.map((tile) => tile.getBoundingClientRect()).map(({ top, right }) => ({ top, right })))
      const tops = [...new Set(edges.map(({ top }) => top))]
      const ends = tops.map((row) => Math.round(Math.max(...edges.filter(({ top }) => top === row).map(({ right }) => right))))
      expect(new Set(ends).size).toBe(1)
    })
  })
}
