import { describe, expect, it } from 'vitest'
import { JSON_BODY } from '../../support/product/json-body.ts'
import type { ServedPage } from '../../support/product/served-page.ts'

/** Changes of data that other answers on the page depend on. */
export function changedData(served: ServedPage): void {
  const post = async (path: string, body: object) => {
    const response = await fetch(served.url + path, { method: 'POST', headers: JSON_BODY, body: JSON.stringify(body) })
    expect(response.status, path).toBe(201)
  }

  describe('an attribute of a customer', () => {
    it('changes the segments and the answers that read it as soon as it is saved', async () => {
      await post('/api/attributes', { key: 'guest', type: 'string', label: null, description: null })
      const definition = { root: { op: 'and', conditions: [{ field: 'attr.guest', op: '=', value: 'yes' }] } }
      await post('/api/segments', { name: 'Guests', definition })
      const { rows } = (await served.ask('/api/customers?limit=1')) as { rows: { id: string }[] }
      const { page, go, settled, problems } = await served.visit('/')
      const counted = '/explore?metric=customers&view=series&range=last-month&filter=attr.guest%3Dyes'
      await go(counted)
      await go(`/customers/${rows[0]?.id}`)
      const segments = page.getByRole('region', { name: 'Segments', exact: true })
      expect(await segments.getByRole('link', { name: 'Guests' }).count()).toBe(0)
      const card = page.getByRole('region', { name: 'Attributes', exact: true })
      await card.getByRole('button', { name: 'Add', exact: true }).click()
      await card.getByLabel('Key').fill('guest')
      await card.getByLabel('Value').fill('yes')
      await card.getByRole('button', { name: 'Save' }).click()
      await segments.getByRole('link', { name: 'Guests' }).waitFor()
      await settled()
      const again = page.waitForRequest((request) => decodeURIComponent(request.url()).includes('filter=attr.guest=yes'))
      await go(counted)
      await again
      expect(problems).toEqual([])
      await page.context().close()
    })
  })
}
