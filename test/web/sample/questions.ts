import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Download, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { packageRoot } from '../../../src/core/package-root.ts'
import type { ServedPage } from '../../support/product/served-page.ts'
import { sheetsOf } from '../../support/product/workbook-sheets.ts'
import { FIFTEEN_QUESTIONS } from './fifteen-questions.ts'
import { documented, type Walk } from './page-walks.ts'

const MOST_CLICKS = 3

const guide = (name: string) => readFileSync(join(packageRoot(), 'docs', name), 'utf8')

/** The calls of docs/questions.md by question. */
const CALLS = new Map(
  [...guide('questions.md').matchAll(/^\| \[(.+?)\]\(.+?\) \| .+ \| `(.+?)` \|$/gm)].map(([, question = '', call = '']) => [
    question,
    `/api/${call}`,
  ]),
)

/** Lines of an answer on the page: table rows, other text, texts of charts for screen readers, rows of a workbook. */
async function linesOf(page: Page, { place, name }: Walk['seen'], downloads: readonly Download[]): Promise<readonly string[]> {
  if (place === 'file') {
    const download = downloads[0] ?? (await page.waitForEvent('download'))
    const [sheet = []] = sheetsOf(readFileSync(await download.path())).values()
    return sheet.map((cells) => cells.map((cell) => cell?.value ?? '').join(' '))
  }
  const seen = page.getByRole(place, { name, exact: true })
  await seen.waitFor()
  const tables = await seen.locator('tr').allInnerTexts()
  const charts = await seen.getByRole('img').evaluateAll((all) => all.map((each) => each.getAttribute('aria-label') ?? ''))
  const lines = [...tables, ...charts, ...(await seen.innerText()).split('\n')]
  return lines.map((line) => line.replaceAll(/\s+/g, ' ').trim())
}

export function documentedQuestions(): void {
  it('the questions and their clicks are documented', () => {
    expect(FIFTEEN_QUESTIONS.map(({ question }) => question)).toEqual([...CALLS.keys()])
    const section = guide('dashboard.md').split('## Fifteen questions and their clicks')[1] ?? ''
    const told = section.split('\n').filter((line) => line.startsWith('| ['))
    expect(told).toEqual(FIFTEEN_QUESTIONS.map(documented))
  })
}

export function fifteenQuestions(served: ServedPage): void {
  describe('fifteen questions in three clicks each', () => {
    const downloads: Download[] = []
    beforeAll(async () => {
      const { page } = await served.show('/')
      page.on('download', (download) => downloads.push(download))
    })

    it.each(FIFTEEN_QUESTIONS)('$question', async ({ question, clicks, seen, expected, isRefused }) => {
      expect(clicks.length).toBeLessThanOrEqual(MOST_CLICKS)
      const { page, problems, settled } = await served.show('/')
      downloads.length = 0
      for (const { act } of clicks) {
        await act(page)
        await settled()
      }
      const call = CALLS.get(question)?.replace('&format=xlsx', '') ?? ''
      const wanted = expected(await served.ask(call))
      expect(wanted.flat()).not.toEqual([])
      const lines = await linesOf(page, seen, downloads)
      // The lines must appear in this order.
      let at = -1
      for (const texts of wanted) {
        at = lines.findIndex((line, index) => index > at && texts.every((text) => line.includes(text)))
        expect(at, `${texts.join(' ')} in\n${lines.join('\n')}`).toBeGreaterThanOrEqual(0)
      }
      if (isRefused !== true) expect(problems).toEqual([])
    })
  })
}
