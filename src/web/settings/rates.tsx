import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../api/client.ts'
import { useHasScope } from '../auth/who.ts'
import { Problem } from '../parts/problem.tsx'
import { Empty, Skeleton } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { MissingRates } from './missing-rates.tsx'
import { RateImport } from './rate-import.tsx'
import { Section } from './section.tsx'

const HEIGHT = 160
const COLUMNS: readonly Column[] = [
  { key: 'from', label: 'From' },
  { key: 'to', label: 'To' },
  { key: 'rate', label: 'Rate', isNumber: true },
  { key: 'date', label: 'Valid from' },
]

/** Exchange rates: the latest of each pair, the missing ones, and import. */
export function RatesCard() {
  const isAdmin = useHasScope('admin')
  const [isImporting, setImporting] = useState(false)
  const answer = useQuery({
    queryKey: ['fx', 'latest'],
    queryFn: async ({ signal }) => (await client.get('/api/fx/rates', { query: { latest: 'true' }, signal })).data,
    staleTime: 0,
  })
  return (
    <Section
      id="exchange-rates"
      title="Exchange rates"
      lead="Used to convert amounts in other currencies. A rate applies until the next one of the same pair. Without a stored rate, the billing engine’s rates apply."
      tools={
        isAdmin && (
          <button type="button" className="button" onClick={() => setImporting(!isImporting)} aria-expanded={isImporting}>
            Import rates
          </button>
        )
      }
    >
      <MissingRates isImporting={isImporting} onImport={() => setImporting(!isImporting)} />
      {isImporting && <RateImport onClose={() => setImporting(false)} />}
      {answer.error !== null && <Problem error={answer.error} onRetry={() => void answer.refetch()} />}
      {answer.isPending && <Skeleton height={HEIGHT} />}
      {answer.data?.length === 0 && <Empty>No exchange rates yet.</Empty>}
      {answer.data !== undefined && answer.data.length > 0 && (
        <Table
          stacks
          caption="Latest exchange rates"
          columns={COLUMNS}
          rows={answer.data.map((rate) => ({ ...rate }))}
          currency=""
        />
      )}
    </Section>
  )
}
