import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { components } from '../../client/index.ts'
import { client } from '../api/client.ts'
import { formatDay } from '../format/days.ts'
import { LINKS, useLinks } from '../links/resources.ts'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { Problem } from '../parts/problem.tsx'
import { Empty, Skeleton } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Section } from './section.tsx'

type Link = components['schemas']['Link']

const HEIGHT = 160
const KINDS = { page: 'Dashboard', feed: 'Feed of a chart' } as const

/** Links to dashboards, and feeds of charts: list, revoke. */
export function LinksCard() {
  const queries = useQueryClient()
  const answer = useLinks()
  const revoke = useMutation({
    mutationFn: (id: string) => client.delete('/api/links/{id}', { path: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: LINKS }),
  })
  const all = answer.data ?? []
  const of = new Map(all.map((link) => [link.id, link]))
  const columns: Column[] = [
    { key: 'title', label: 'Name' },
    { key: 'type', label: 'Type' },
    { key: 'by', label: 'Created by' },
    { key: 'state', label: 'Status', render: (row) => stateOf(of.get(String(row['id']))) },
    { key: 'opened_at', label: 'Last opened' },
    {
      key: 'actions',
      label: 'Actions',
      render: (row) => {
        const link = of.get(String(row['id']))
        if (link === undefined || !isOpen(link)) return ''
        return (
          <ConfirmButton
            label="Revoke"
            title={`Revoke the link to “${link.name ?? 'a deleted dashboard'}”?`}
            consequence="Everybody who has it sees nothing from now on. You can’t undo this."
            isBusy={revoke.isPending}
            onConfirm={() => revoke.mutate(link.id)}
          />
        )
      },
    },
  ]
  const failed = answer.error ?? revoke.error
  return (
    <Section title="Links" lead="Links that show a dashboard or a chart without sign-in. “Share…” on a dashboard creates one.">
      {failed !== null && <Problem error={failed} />}
      {answer.isPending && <Skeleton height={HEIGHT} />}
      {answer.data?.length === 0 && <Empty>No links yet.</Empty>}
      {all.length > 0 && (
        <Table
          caption="Links"
          stacks
          columns={columns}
          rows={all.map(({ id, name, kind, moment, names, is_own, created_by, opened_at }) => ({
            ...{ id, title: name ?? 'Deleted', opened_at, by: is_own ? 'You' : created_by },
            type: `${KINDS[kind]}${moment === 'fixed' ? ', fixed' : ''}${names ? ', with customers' : ''}`,
          }))}
          currency=""
        />
      )}
    </Section>
  )
}

function isOpen({ revoked_at, expires_at }: Link): boolean {
  return revoked_at === null && expires_at > new Date().toISOString()
}

function stateOf(link: Link | undefined): string {
  if (link === undefined) return ''
  if (link.revoked_at !== null) return `Revoked ${formatDay(link.revoked_at)}`
  return `${isOpen(link) ? 'Ends' : 'Ended'} ${formatDay(link.expires_at)}`
}
