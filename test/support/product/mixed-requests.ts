const RANGE = 'start=2025-12-01&end=2026-11-20'
const DAYS = ['2026-08-31', '2026-09-30', '2026-10-31', '2026-11-15']
const MONTHS = ['start=2026-08-01&end=2026-08-31', 'start=2026-09-01&end=2026-09-30', 'start=2026-10-01&end=2026-10-31']

/** Makes a segment in the service, and asks for a bit of everything. */
export async function questionsTo(url: string): Promise<readonly string[]> {
  const { rows } = (await ask(`${url}/api/customers?limit=1`)) as { readonly rows: readonly { readonly id: string }[] }
  const definition = { version: 1, root: { op: 'and', conditions: [{ field: 'plan_id', op: 'is_not_empty' }] } }
  const body = JSON.stringify({ name: 'everybody with a plan', definition })
  const { id } = (await ask(`${url}/api/segments`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  })) as { readonly id: string }
  const questions = mixedQuestions(rows[0]?.id ?? '', id)
  for (const path of questions) await ask(`${url}${path}`)
  return questions
}

async function ask(url: string, init?: RequestInit): Promise<unknown> {
  const response = await fetch(url, init)
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return response.json()
}

/** Paths of the API that ask for a bit of everything: each family of metrics, the summary, lists, one customer, segments, discovery. */
function mixedQuestions(customer: string, segment: string): readonly string[] {
  const each = (values: readonly string[], path: string) =>
    values.map((value) => `/api/metrics/${path}${path.includes('?') ? '&' : '?'}${value}`)
  const days = DAYS.map((day) => `at=${day}`)
  return [
    ...each(days, 'mrr'),
    ...each(days, 'mrr?dimensions=plan_id'),
    ...each(days, 'arr'),
    ...each(days, 'ltv/arpu'),
    ...each(days, `mrr?segment=${segment}`),
    ...each(MONTHS, 'mrr/breakdown'),
    ...each(MONTHS, 'churn'),
    ...each(MONTHS, 'churn/customers'),
    ...each(MONTHS, 'usage-revenue'),
    ...each(MONTHS, 'trials/funnel'),
    ...each([RANGE], 'mrr?interval=month'),
    ...each([RANGE], 'mrr/waterfall?interval=month'),
    ...each([RANGE], 'mrr/components?interval=month'),
    ...each([RANGE], 'churn?type=revenue'),
    ...each([RANGE], 'churn/revenue-events'),
    ...each([RANGE], 'retention?query_type=nrr'),
    ...each([RANGE], 'retention?query_type=cohort_matrix'),
    ...each([RANGE], 'ltv'),
    ...each([RANGE], 'ltv/cohort'),
    ...each([RANGE], 'trials/series?interval=month'),
    ...each([RANGE], 'usage-revenue/series?interval=month'),
    ...each([RANGE], 'usage-revenue/by-customer'),
    '/api/metrics/summary',
    '/api/metrics/summary?at=2026-09-30',
    '/api/customers?limit=50',
    '/api/customers?limit=50&offset=100',
    `/api/customers/${customer}`,
    '/api/subscriptions?limit=50',
    '/api/subscriptions?limit=50&filter=status=active',
    '/api/invoices?limit=20',
    '/api/segments',
    `/api/segments/${segment}`,
    '/api/attributes',
    '/api/metrics',
    '/api/metrics/mrr/fields',
    '/api/metrics/churn/fields',
  ]
}
