import { createClient, PlumblineError } from 'plumbline/client'

/** The answers to a program that only knows the service's address. */
export async function askOverHttp(baseUrl: string) {
  const client = createClient({ baseUrl })
  const { data: mrr, dataThrough, warnings } = await client.get('/api/metrics/mrr')
  const { data: customers } = await client.get('/api/customers', { query: { limit: 2 } })
  const [first] = customers.rows
  if (first === undefined) throw new Error('the sample data has no customers')
  const { data: customer } = await client.get('/api/customers/{id}', { path: { id: first.id } })
  const { data: generic } = await client.post('/api/metrics/{metric}', {
    path: { metric: 'mrr' },
    body: { params: { query_type: 'arr' } },
  })
  const { data: csv } = await client.csv('/api/metrics/mrr', { query: { dimensions: ['plan_id'] } })

  const definition = { root: { op: 'and' as const, conditions: [{ field: 'customer.id', op: '=' as const, value: first.id }] } }
  const { data: segment } = await client.post('/api/segments', { body: { name: 'One customer', definition } })
  const { data: narrowed } = await client.get('/api/metrics/mrr', { query: { segment: segment.id } })
  await client.put('/api/segments/{id}', { path: { id: segment.id }, body: { description: 'Just one' } })
  await client.delete('/api/segments/{id}', { path: { id: segment.id } })

  const body = new FormData()
  body.append('file', new Blob([`customer_id,region\n${first.id},north\n`], { type: 'text/csv' }), 'regions.csv')
  const { data: imported } = await client.post('/api/attributes/import', { body })

  const refused = await client.get('/api/metrics/mrr', { query: { at: 'yesterday' } }).then(
    () => undefined,
    (error: unknown) => (error instanceof PlumblineError ? { code: error.code, issues: error.issues.length } : error),
  )
  return {
    mrr,
    isFresh: dataThrough !== undefined,
    warnings,
    same_customer: customer.id === first.id,
    arr: generic,
    csv_header: csv.split('\r\n')[0]?.split('\n')[0],
    narrowed,
    first_mrr: first.mrr_base_cents,
    values_written: imported.rows_upserted,
    refused,
  }
}
