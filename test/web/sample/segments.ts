import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { formatValue } from '../../../src/web/format/numbers.ts'
import { JSON_BODY } from '../../support/product/json-body.ts'
import type { ServedPage } from '../../support/product/served-page.ts'

const LONG = `Customers in ${'Llanfairpwllgwyngyll'.repeat(6)}`
interface Summary {
  readonly active_customers: number
  readonly mrr: number
}

/** Name of the focused element. */
function nameOfFocused(page: Page): Promise<string> {
  return page.evaluate<string>(
    `(({ ariaLabel, labels, textContent }) => ariaLabel ?? labels?.[0]?.textContent ?? textContent)(document.activeElement)`,
  )
}

const NARROW = 360
const HEIGHT = 900

export function segmentPages(served: ServedPage): void {
  describe('segments', () => {
    const save = async (name: string, definition: unknown) => {
      const response = await fetch(`${served.url}/api/segments`, {
        method: 'POST',
        headers: JSON_BODY,
        body: JSON.stringify({ name, definition }),
      })
      expect(response.status).toBe(201)
      return (await response.json()) as { id: string }
    }

    it('by keyboard alone: a segment is built, counted before it is saved, and saved as it was counted', async () => {
      const { page, settled, problems, accessibility } = await served.show('/segments/new')
      const choose = async (name: string) => {
        await page.getByRole('option', { name, exact: true }).waitFor()
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Enter')
        await page.getByRole('listbox').waitFor({ state: 'hidden' })
      }
      const before = new Set(((await served.ask('/api/segments')) as { id: string }[]).map(({ id }) => id))
      await page.getByRole('textbox', { name: 'Name', exact: true }).focus()
      await page.keyboard.type('Euro payers')
      await page.getByLabel('condition 1: field').focus()
      await page.keyboard.type('Currency')
      await choose('Currency')
      await page.getByLabel('condition 1: operator').selectOption('in')
      await page.getByLabel('condition 1: another value').focus()
      await page.keyboard.type('EUR')
      await choose('EUR')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'condition 1: remove EUR' }).waitFor()
      await page.getByRole('button', { name: '+ Group' }).press('Enter')
      await page.getByRole('button', { name: 'Remove group 2' }).waitFor()
      await page.getByLabel('condition 2.1: field').focus()
      // Two fields have this label, so one of them says where it comes from.
      await page.keyboard.type('MRR band (')
      await choose('MRR band (computed)')
      await page.getByLabel('condition 2.1: operator').selectOption('is_not_empty')
      const counted = page.locator('[data-field="active_customers"] .figure')
      await counted.waitFor()
      await settled()
      expect(await accessibility()).toEqual([])
      const definition = {
        version: 1,
        root: {
          op: 'and',
          conditions: [
            { field: 'currency', op: 'in', value: ['EUR'] },
            { op: 'or', conditions: [{ field: 'computed.mrr_band', op: 'is_not_empty' }] },
          ],
        },
      }
      const shown = {
        customers: await counted.innerText(),
        mrr: await page.locator('[data-field="mrr"] .figure').innerText(),
      }
      await page.getByRole('button', { name: 'Save segment' }).press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Segments' }).waitFor()
      await settled()
      // The pressed button is gone: the focus moves to the new page, not to the top of the document.
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main')
      const saved = (await served.ask('/api/segments')) as { id: string; name: string; definition: unknown }[]
      const added = saved.filter(({ id }) => !before.has(id))
      expect(added).toMatchObject([{ name: 'Euro payers', definition }])
      // The saved segment has the figures of the preview.
      const figures = (await served.ask(`/api/metrics/summary?segment=${added[0]?.id}`)) as Summary
      expect(figures.active_customers).toBeGreaterThan(0)
      expect(shown).toEqual({
        customers: String(figures.active_customers),
        mrr: formatValue(figures.mrr, 'money', { currency: 'USD' }),
      })
      expect(problems).toEqual([])
    })

    it('what is wrong with a condition stands beside it, and the keyboard stays where conditions come and go', async () => {
      const { page } = await served.show('/segments/new')
      await page.getByLabel('condition 1: field').fill('Tenure')
      await page.getByRole('option', { name: 'Tenure' }).first().click()
      await page.getByLabel('condition 1: operator').selectOption('=')
      await page.getByLabel('condition 1: value').fill('many')
      const wrong = page.getByRole('group', { name: 'condition 1' }).locator('.field-error')
      expect(await wrong.innerText()).toContain('many')
      expect(await page.getByText('to preview matching customers').count()).toBe(1)
      await page.getByLabel('condition 1: value').fill('3')
      await page.locator('[data-field="active_customers"] .figure').waitFor()
      expect(await wrong.count()).toBe(0)

      const isAt = async (name: string) => expect.poll(() => nameOfFocused(page)).toBe(name)
      const press = async (name: string) => {
        await page.getByRole('button', { name, exact: true }).first().focus()
        await page.keyboard.press('Enter')
      }
      await press('+ Condition')
      await isAt('condition 2: field')
      await press('+ Group')
      await isAt('condition 3.1: field')
      await page.getByRole('button', { name: 'Any', exact: true }).last().press('Enter')
      await press('Remove condition 3.1')
      await isAt('+ Condition')
      await press('Remove group 3')
      await isAt('+ Condition')
      await page.keyboard.press('Shift+Tab')
      await isAt('Remove condition 2')
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
      await press('Remove condition 1')
      await isAt('condition 1: field')
    })

    it('saved segments stand side by side with the figures of the summary, however long their names, and can be deleted', async () => {
      const { id } = await save(LONG, { root: { op: 'and', conditions: [{ field: 'currency', op: '=', value: 'USD' }] } })
      const { page, settled, problems, accessibility, overflow } = await served.visit(`/segments?compare_segments=${id}`)
      const [summary] = (await served.ask(`/api/metrics/summary?compare_segments=${id}`)) as Summary[]
      const card = page.getByRole('region', { name: 'Comparison' }).first()
      await card.getByText(formatValue(summary?.mrr ?? 0, 'money', { currency: 'USD', precise: true }), { exact: true }).waitFor()
      expect(await card.locator('tbody tr').count()).toBe(1)
      await page.setViewportSize({ width: NARROW, height: HEIGHT })
      expect(await overflow()).toBe(0)
      expect(await accessibility()).toEqual([])
      await page.getByRole('link', { name: LONG, exact: true }).click()
      await page.getByRole('heading', { level: 1, name: LONG }).waitFor()
      await settled()
      expect(await overflow()).toBe(0)
      expect(await accessibility()).toEqual([])
      await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter')
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Segments' }).waitFor()
      await settled()
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main')
      expect(((await served.ask('/api/segments')) as { id: string }[]).some((one) => one.id === id)).toBe(false)
      expect(problems).toEqual([])
      await page.context().close()
    })
  })
}
