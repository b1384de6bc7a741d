import { afterEach, describe, expect, it } from 'vitest'
import type { ServedPage } from '../../support/product/served-page.ts'

const NARROW = { width: 390 } as const
const NOTE = 'Agreed by phone: <b>until June</b> & "later" 🙂'

interface Sums {
  readonly monthly_unbilled_base_cents: number
  readonly marked: { readonly findings: number; readonly monthly_unbilled_base_cents: number }
}

/** Marks of findings and notices. They are removed again. */
export function marksOfFindings(served: ServedPage): void {
  const sums = async () => (await served.ask('/api/billing-health?state=open')) as Sums
  const removeAll = async () => {
    for (const { id } of (await served.ask('/api/billing-health/marks')) as readonly { readonly id: string }[])
      await fetch(`${served.url}/api/billing-health/marks/${id}`, { method: 'DELETE' })
  }

  describe('a mark of a finding', () => {
    afterEach(removeAll)

    it('as no error takes it out of the amounts and folds it below its list, until it is removed', async () => {
      const { page, settled, overflow, accessibility, problems } = await served.visit('/billing-health', NARROW)
      const before = await sums()
      const list = page.getByRole('region', { name: 'Not billed', exact: true })
      const amount = page.locator('[data-part=not_billed] .figure')
      const shown = await amount.innerText()
      const rows = await list.locator('tbody tr').count()
      const customer = await list.locator('tbody tr').first().locator('td').first().innerText()
      await list
        .getByRole('button', { name: /^Mark / })
        .first()
        .click()
      await page.getByRole('menuitem', { name: 'This is no error…' }).click()
      await page.getByRole('dialog').getByLabel('Note').fill(NOTE)
      expect(await accessibility()).toEqual([])
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
      const fold = list.locator('details.marked')
      await fold.waitFor()
      await settled()
      const after = await sums()
      const marked = after.marked.findings
      expect(marked).toBeGreaterThan(0)
      expect(before.monthly_unbilled_base_cents - after.monthly_unbilled_base_cents).toBe(
        after.marked.monthly_unbilled_base_cents,
      )
      expect(await fold.locator('summary').first().innerText()).toBe(`Marked as no error (${marked})`)
      expect(await list.locator('tbody tr').filter({ visible: true }).count()).toBe(rows - 1)
      expect(await amount.innerText()).not.toBe(shown)
      expect(await page.getByRole('region', { name: 'Differences by cause', exact: true }).innerText()).toContain(
        `Marked as no error: ${marked}`,
      )

      await fold.locator('summary').first().click()
      expect(await fold.locator('tbody tr').first().locator('td').first().innerText()).toBe(customer)
      if (marked > 1) await fold.locator('.work details summary').first().click()
      expect(await fold.locator('.mark-line').first().innerText()).toContain(NOTE)
      expect(await overflow()).toBe(0)
      expect(await accessibility()).toEqual([])

      await fold
        .getByRole('button', { name: /^Mark / })
        .first()
        .click()
      await page.getByRole('menuitem', { name: 'Remove mark' }).click()
      await fold.waitFor({ state: 'detached' })
      await settled()
      expect(await amount.innerText()).toBe(shown)
      expect(await sums()).toEqual(before)
      expect(problems).toEqual([])
      await page.context().close()
    })

    it('as seen stays where it is, and a notice is marked in the same way', async () => {
      const before = await sums()
      const { page, settled, problems } = await served.visit('/billing-health')
      const list = page.getByRole('region', { name: 'Not billed', exact: true })
      const notices = page.getByRole('region', { name: 'What else needs a look', exact: true })
      const mark = async (of: typeof list, item: string) => {
        await of
          .getByRole('button', { name: /^Mark / })
          .first()
          .click()
        await page.getByRole('menuitem', { name: item }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await settled()
      }
      await mark(list, 'Mark as seen…')
      expect(await list.locator('details.marked').count()).toBe(0)
      expect(await list.locator('tbody tr').first().innerText()).toMatch(/\bSeen\b|are marked/)
      expect((await sums()).monthly_unbilled_base_cents).toBe(before.monthly_unbilled_base_cents)
      await notices.locator('tbody summary').first().click()
      await mark(notices, 'This is no error…')
      const fold = notices.locator('details.marked')
      expect(await fold.locator('summary').first().innerText()).toBe('Marked as no error (1)')
      await fold.locator('summary').first().click()
      await settled()
      expect(await fold.locator('tbody tr').count()).toBe(1)
      expect(problems).toEqual([])
      await page.context().close()
    })
  })
}
