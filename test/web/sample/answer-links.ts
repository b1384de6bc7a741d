import { describe, expect, it } from 'vitest'
import { pageLink } from '../../../src/facades/mcp/page-link.ts'
import { BUILT_IN_METRICS } from '../../../src/metrics/built-in.ts'
import type { ServedPage } from '../../support/product/served-page.ts'

const MONTH = { params: { range: 'last-month' }, spec: {} }
const by = (...dimensions: readonly string[]) => ({ ...MONTH, spec: { dimensions } })

/** The links of a model's answers open a page that asks the same question. */
export function linksOfAnswers(served: ServedPage): void {
  describe('the link of an answer', () => {
    it.each([
      ['churn', 'revenue', by('plan_id'), '/api/metrics/churn?', ['type=revenue', 'dimensions=plan_id', 'range=last-month']],
      ['churn', 'logo', by('cancel_reason'), '/api/metrics/churn?', ['type=logo', 'dimensions=cancel_reason']],
      ['retention', 'grr', MONTH, '/api/metrics/retention?', ['query_type=grr', 'range=last-month', 'granularity=']],
      ['mrr', 'breakdown', by('plan_id'), '/api/metrics/mrr/breakdown?', ['dimensions=plan_id', 'range=last-month']],
      ['mrr', 'arr', { params: { at: '2026-06-30' }, spec: {} }, '/api/metrics/arr?', ['at=2026-06-30']],
      ['ltv', 'simple', by('customer_country'), '/api/metrics/ltv?', ['dimensions=customer_country', 'range=last-month']],
    ])('of %s %s', async (metric, query, asked, path, parts) => {
      const link = pageLink('', BUILT_IN_METRICS.find(({ name }) => name === metric)?.queries[query] ?? {}, asked) ?? ''
      const { page, problems } = await served.visit(link)
      const asks = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => decodeURIComponent(name)))
      const same = asks.filter((url) => url.includes(path) && parts.every((part) => url.includes(part)))
      expect(same.length, `${link}\n${asks.join('\n')}`).toBeGreaterThan(0)
      expect(problems).toEqual([])
      await page.context().close()
    })
  })
}
