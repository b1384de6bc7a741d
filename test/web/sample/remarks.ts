import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { JSON_BODY } from '../../support/product/json-body.ts'
import type { ServedPage } from '../../support/product/served-page.ts'

const HOSTILE = '"><script>document.title = "taken"</script> =HYPERLINK("x") <!channel>'

/** Every text that the page draws on a canvas, from now on. */
async function drawnTexts(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(`(() => {
    globalThis.drawn = []
    const draw = CanvasRenderingContext2D.prototype.fillText
    CanvasRenderingContext2D.prototype.fillText = function (text, ...more) {
      globalThis.drawn.push(text)
      return draw.call(this, text, ...more)
    }
  })()`)
  return () => page.evaluate<readonly string[]>('globalThis.drawn')
}

export function notesAndGoals(served: ServedPage): void {
  describe('notes and goals', () => {
    const send = async (method: string, path: string, body?: unknown) => {
      const response = await fetch(`${served.url}${path}`, {
        method,
        headers: JSON_BODY,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      expect(response.ok, await response.clone().text()).toBe(true)
      return (await response.json()) as { readonly id: string }
    }
    const idsOf = async (path: string) => ((await served.ask(path)) as readonly { readonly id: string }[]).map(({ id }) => id)
    const clear = async () => {
      for (const kind of ['notes', 'goals'])
        for (const id of await idsOf(`/api/${kind}`)) await send('DELETE', `/api/${kind}/${id}`)
    }

    it('a note is added from the menu of a card, marked, listed, in the picture, changed and deleted', async () => {
      const { page, settled, problems, accessibility, overflow } = await served.visit('/mrr')
      const card = page.getByRole('region', { name: 'MRR', exact: true })
      await card.getByRole('button', { name: 'More options for MRR' }).click()
      await page.getByRole('menuitem', { name: 'Add note' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Note').fill(HOSTILE)
      await dialog.getByLabel('Day').fill('2026-05-04')
      await dialog.getByLabel('Shown with').selectOption('mrr')
      expect(await accessibility()).toEqual([])
      await dialog.getByRole('button', { name: 'Save' }).click()
      const list = card.getByRole('list', { name: 'Notes on MRR' })
      await list.waitFor()
      await settled()
      expect(await list.locator('.note-text').allInnerTexts()).toEqual([`May 4, 2026 ${HOSTILE}`])
      expect(await page.title()).not.toBe('taken')
      // A second note on an earlier day becomes the first.
      await send('POST', '/api/notes', { day: '2026-02-10', text: 'Earlier' })
      await page.reload()
      await settled()
      expect(await list.locator('.note-mark').allInnerTexts()).toEqual(['1', '2'])
      expect(await list.locator('.note-text').first().innerText()).toBe('Feb 10, 2026 Earlier')
      const drawnAgain = await drawnTexts(page)
      await card.getByRole('button', { name: 'More options for MRR' }).click()
      const coming = page.waitForEvent('download')
      await page.getByRole('menuitem', { name: 'Download PNG' }).click()
      expect(readFileSync(await (await coming).path()).length).toBeGreaterThan(10_000)
      const drawn = await drawnAgain()
      expect(drawn).toEqual(expect.arrayContaining(['1', '2', '1 Feb 10, 2026: Earlier']))
      expect(drawn.join(' ')).toContain(`2 May 4, 2026: ${HOSTILE}`)
      // A note about MRR is not on the chart of another metric.
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Churn', exact: true }).click()
      const other = page.getByRole('list', { name: 'Notes on Logo churn' })
      await other.waitFor()
      expect(await other.locator('.note-text').allInnerTexts()).toEqual(['Feb 10, 2026 Earlier'])
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'MRR', exact: true }).click()
      await list.waitFor()
      await card.getByRole('button', { name: 'Table', exact: true }).click()
      await list.waitFor()
      await list.getByRole('button', { name: 'Edit note 2 on MRR' }).click()
      await dialog.getByLabel('Note').fill('Calmer')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await list.getByText('Calmer').waitFor()
      await list.getByRole('button', { name: 'Edit note 1 on MRR' }).click()
      await dialog.getByRole('button', { name: 'Delete note' }).click()
      // The rest of the page is hidden from roles while a dialog is open.
      await dialog.waitFor({ state: 'hidden' })
      await list.getByText('Earlier').waitFor({ state: 'detached' })
      expect(await idsOf('/api/notes')).toHaveLength(1)
      await page.setViewportSize({ width: 360, height: 900 })
      expect(await overflow()).toBe(0)
      expect(problems).toEqual([])
      await page.context().close()
      await clear()
    })

    it('a goal is set in the settings, and shown on tiles, headlines, charts and in their tables', async () => {
      const { page, settled, problems, accessibility, go } = await served.visit('/settings')
      const goals = page.getByRole('region', { name: 'Goals', exact: true })
      await goals.getByText('No goals yet.').waitFor()
      await goals.getByRole('button', { name: 'New goal' }).click()
      const form = goals.getByRole('form', { name: 'New goal' })
      await form.getByLabel('Number').selectOption('mrr')
      await form.getByLabel('Month or quarter').fill('2026-11')
      await form.getByRole('textbox', { name: 'Value' }).fill('53000')
      await form.getByRole('button', { name: 'Save' }).click()
      await goals.getByRole('cell', { name: '$53,000.00' }).waitFor()
      await goals.getByRole('button', { name: 'New goal' }).click()
      await form.getByLabel('Number').selectOption('customers')
      await form.getByLabel('Month or quarter').fill('2026-Q4')
      await form.getByRole('textbox', { name: 'Value' }).fill('2%')
      await form.getByRole('button', { name: 'Save' }).click()
      await form.getByText('must be a number such as 120').first().waitFor()
      await form.getByRole('textbox', { name: 'Value' }).fill('200')
      await form.getByRole('button', { name: 'Save' }).click()
      await goals.getByRole('cell', { name: 'Paying customers' }).waitFor()
      expect(await accessibility()).toEqual([])

      // 51,148.37 of 53,000.00 is 96.5 %, rounded down.
      await go('/')
      await settled()
      const words = '96% of the goal of Nov 2026 (running): $53,000'
      await page.getByText(words).first().waitFor()
      await page.getByText('110% of the goal of Q4 2026 (running): 200').first().waitFor()
      await go('/mrr')
      const card = page.getByRole('region', { name: 'MRR', exact: true })
      await card.locator('.legend').getByText('Goal').waitFor()
      expect(await card.getByRole('img').getAttribute('aria-label')).toContain('Goal: $53,000')
      await page.getByText(words).waitFor()
      await card.getByRole('button', { name: 'Table', exact: true }).click()
      await card.getByRole('columnheader', { name: 'Goal' }).waitFor()
      expect(await card.getByRole('cell', { name: '$53,000' }).count()).toBe(1)
      // The goal is for all customers.
      await go('/mrr?filter=currency%3DEUR')
      await settled()
      expect(await page.getByText('of the goal of').count()).toBe(0)
      // The refused value is the one answer that is an error.
      expect(problems.filter((problem) => !/400|goals\/import/.test(problem))).toEqual([])
      await page.context().close()
      await clear()
    })

    it('a file of goals is previewed, imported and reported', async () => {
      const { page, problems } = await served.visit('/settings')
      const goals = page.getByRole('region', { name: 'Goals', exact: true })
      await goals.getByRole('button', { name: 'Import CSV' }).click()
      const file = (text: string) => ({ name: 'goals.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
      const input = goals.locator('input[type=file]')
      await input.setInputFiles(file('metric,value\nmrr,1\n'))
      await goals.getByText('Missing columns: period.').waitFor()
      await input.setInputFiles(file('metric,period,value\nmrr,2026-12,60000\nlogo_churn,2026-Q4,2%\n'))
      await goals.getByText('First 2 rows.').waitFor()
      expect(await idsOf('/api/goals')).toEqual([])
      await goals.getByRole('button', { name: 'Import', exact: true }).click()
      await goals.getByText('2 new, 0 changed, 0 unchanged.').waitFor()
      await goals.getByRole('cell', { name: '$60,000.00' }).waitFor()
      expect(problems).toEqual([])
      await page.context().close()
      await clear()
    })
  })
}
