import { describe, expect, it } from 'vitest'
import type { ServedPage } from '../../support/product/served-page.ts'
import { signedIn } from './signed-in.ts'

const NARROW = 360
const HEIGHT = 900

/** Attributes, keys and the audit log. */
export function settings(served: ServedPage): void {
  describe('settings', () => {
    const { ask, keyOf, open, openAgain } = signedIn(served)

    it('an attribute is declared, renamed, filled by a file that was looked at first, and a value of it is removed', async () => {
      const { page, settled, problems, accessibility } = await openAgain()
      const card = page.getByRole('region', { name: 'Attributes', exact: true })
      await card.getByRole('button', { name: 'New attribute' }).click()
      await page.getByRole('textbox', { name: 'Key' }).fill('seats')
      await page.getByRole('combobox', { name: 'Type' }).selectOption('number')
      await page.getByRole('button', { name: 'Save' }).click()
      await card.getByRole('button', { name: 'Edit seats' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('Seats bought')
      await page.getByRole('button', { name: 'Save' }).click()
      await card.getByText('Seats bought').waitFor()

      const { rows: customers } = await ask<{ rows: { id: string; name: string }[] }>('/api/customers?limit=2')
      const [first, second] = customers
      const file = `\uFEFFcustomer_id,seats,"the, rest"\r\n${first?.id},5,"a ""b"" c"\r\n${second?.id},many,c\r\nnobody,1,d\r\n`
      await card.getByRole('button', { name: 'Import CSV' }).click()
      await card.getByLabel('CSV file').setInputFiles({ name: 'seats.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
      const beginning = card.getByRole('table', { name: 'First rows of the file' })
      await beginning.waitFor()
      expect(await beginning.locator('th').allInnerTexts()).toEqual([
        'customer_id (customer)',
        'seats (Number)',
        'the, rest (new attribute)',
      ])
      expect(await beginning.locator('tbody tr').first().locator('td').allInnerTexts()).toEqual([first?.id, '5', 'a "b" c'])
      await card.getByRole('button', { name: 'Import', exact: true }).click()
      await card.getByRole('status').getByText('3 rows read, 2 imported.').waitFor()
      const refused = card.getByRole('table', { name: 'Rejected cells' }).locator('tbody td')
      expect(await refused.allInnerTexts()).toEqual(['2', 'seats', 'many', 'Wrong type for this attribute'])
      await card.getByText('Unknown customers: nobody').waitFor()
      await settled()
      expect(await accessibility()).toEqual([])
      const path = '/api/customer-attributes?key=seats'
      expect(await ask(path)).toMatchObject({ total: 1, rows: [{ customer_id: first?.id, value: 5 }] })

      await card.getByRole('button', { name: 'Values of seats' }).click()
      const panel = page.getByRole('dialog', { name: 'Values of Seats bought' })
      await panel.getByRole('button', { name: 'Remove the value of' }).click()
      await panel.getByText('No customer has a value.').waitFor()
      expect(await accessibility()).toEqual([])
      expect(await ask(path)).toMatchObject({ total: 0 })
      expect(problems).toEqual([])
    })

    it('a key is made, shown once, works, and is revoked; the log has it all', async () => {
      const { page, settled, problems, accessibility, overflow } = await openAgain()
      await page.getByRole('button', { name: 'New key' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('Nightly export')
      await page.getByLabel('Scope').selectOption('read')
      await page.getByLabel('Expires on').fill('2099-01-31')
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByRole('button', { name: 'Copy key' }).waitFor()
      const made = await page.getByRole('dialog').locator('code').innerText()
      expect(await accessibility()).toEqual([])
      await page.getByRole('button', { name: 'Done' }).click()
      expect(await page.getByText(made).count()).toBe(0)
      const me = () => fetch(`${served.url}/auth/me`, { headers: { authorization: `Bearer ${made}` } })
      expect(await (await me()).json()).toMatchObject({ name: 'Nightly export', scopes: ['read:aggregate', 'read'] })
      const keys = page.getByRole('table', { name: 'API keys' })
      const row = keys.getByRole('row').filter({ hasText: 'Nightly export' })
      await row.getByText('Expires Jan 31, 2099').waitFor()
      await row.getByRole('button', { name: 'Revoke' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
      await row.getByText('Revoked').waitFor()
      expect((await me()).status).toBe(401)
      // The log contains the change within a second.
      const revoked = '/api/audit?action=key.revoke'
      await expect.poll(async () => (await ask<{ total: number }>(revoked)).total, { timeout: 10_000 }).toBe(1)
      // The page reloads the log after a change.
      const log = page.getByRole('table', { name: 'Audit log' })
      await log.getByRole('button', { name: 'key.revoke' }).first().click()
      await page.getByText('Action: key.revoke').waitFor()
      // The previous rows stay until the new answer arrives.
      await expect.poll(() => log.locator('tbody tr').count()).toBe(1)
      await settled()
      expect(new URL(page.url()).searchParams.get('action')).toBe('key.revoke')
      await page.getByRole('button', { name: 'Remove filter Action: key.revoke' }).click()
      await page.getByRole('button', { name: 'Refresh', exact: true }).click()
      await log.getByText('key.create').first().waitFor()
      await page.getByRole('button', { name: 'Rejected', exact: true }).click()
      await log.getByText('key.revoke').first().waitFor({ state: 'detached' })
      await page.setViewportSize({ width: NARROW, height: HEIGHT })
      expect(await overflow()).toBe(0)
      expect(await accessibility()).toEqual([])
      expect(problems).toEqual([])
    })

    it('what one may not do is not offered', async () => {
      const { page, problems } = await open(await keyOf(['read']))
      await page
        .getByRole('region', { name: 'Attributes', exact: true })
        .getByRole('button', { name: 'Values of tier' })
        .waitFor()
      for (const name of ['Import CSV', 'Import rates', 'New attribute', 'New key', 'Connect QuickBooks', /^Edit/])
        expect(await page.getByRole('button', { name }).count(), String(name)).toBe(0)
      expect(await page.getByRole('heading', { name: 'Audit log' }).count()).toBe(0)
      expect(problems).toEqual([])
      await page.context().close()
    })
  })
}
