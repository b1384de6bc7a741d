import { useCallback, useEffect, useState } from 'react'
import { asFile, withParams } from '../api/question.ts'
import { currencyOf, rowsOf, totalOf, useAnswer } from '../api/use-answer.ts'
import { ChoiceMenu } from '../controls/choice-menu.tsx'
import { MoreControls } from '../controls/more-controls.tsx'
import { SegmentMenu } from '../controls/segment-menus.tsx'
import { useValues } from '../controls/suggest.tsx'
import { useHasTenants } from '../controls/tenant-menu.tsx'
import { useChangeSearch, useSearchState } from '../controls/use-page.ts'
import { distinctLabels, valueLabel } from '../format/labels.ts'
import { formatValue } from '../format/numbers.ts'
import { CardMenu } from '../parts/card-menu.tsx'
import { Page } from '../parts/page.tsx'
import { Pager } from '../parts/pager.tsx'
import { Answered, Empty } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Warnings } from '../parts/warnings.tsx'
import { mrrOfCustomer, subscriptionsOfCustomer } from './customer-drills.ts'

const LIMIT = 50
const HEIGHT = 640
const ANY = ''
const STATUSES = [
  { value: ANY, label: 'Any' },
  ...['active', 'free', 'paused', 'trialing', 'churned', 'lead'].map((value) => ({ value, label: valueLabel(value, 'status') })),
]
const COLUMNS: readonly Column[] = [
  { key: 'name', label: 'Customer', isSorted: true },
  { key: 'status', isSorted: true },
  { key: 'mrr_base_cents', isNumber: true, isSorted: true, drill: (row) => mrrOfCustomer(row) },
  {
    key: 'live_subscriptions',
    label: 'Subscriptions',
    isNumber: true,
    isSorted: true,
    drill: (row) => subscriptionsOfCustomer(row),
  },
  { key: 'country', isSorted: true },
  { key: 'created_at', label: 'Created', isSorted: true },
  { key: 'churned_at', isSorted: true },
]

const TENANT: Column = { key: 'tenant', isSorted: true }

/** All customers in their current state, with search by name, email address, key or id. */
export function Customers() {
  const {
    search = '',
    status = ANY,
    country,
    currency,
    order = '-mrr_base_cents',
    offset = 0,
    segment,
    tenant,
  } = useSearchState()
  const hasTenants = useHasTenants() && tenant === undefined
  const countries = useValues('mrr', 'customer.country')
  const currencies = useValues('mrr', 'customer.currency')
  const change = useChangeSearch()
  const question = {
    path: '/api/customers',
    query: {
      search: search === '' ? undefined : search,
      status: status === ANY ? undefined : status,
      country,
      currency,
      segment,
      tenant,
      order,
    },
  } as const
  const answer = useAnswer(withParams(question, { limit: LIMIT, offset }))
  const rows = rowsOf(answer.data?.data)
  const total = answer.data === undefined ? undefined : (totalOf(answer.data) ?? 0)
  const find = useCallback((text: string) => change({ search: text, offset: undefined }, { replace: true }), [change])
  return (
    <Page title="Customers" lead="Current state. The date range doesn’t apply here.">
      <section className="controls" aria-label="Filters">
        <SearchField label="Search name, email, key or ID" value={search} onSearch={find} />
        <MoreControls
          count={[status === ANY ? undefined : status, country, currency, segment].filter((one) => one !== undefined).length}
        >
          <ChoiceMenu
            label="Status"
            value={status}
            choices={STATUSES}
            onChoose={(value) => change({ status: value, offset: undefined })}
          />
          <ChoiceMenu
            label="Country"
            value={country ?? ANY}
            choices={choicesOf(countries, country, 'country')}
            onChoose={(value) => change({ country: value, offset: undefined })}
          />
          <ChoiceMenu
            label="Currency"
            value={currency ?? ANY}
            choices={choicesOf(currencies, currency, 'currency')}
            onChoose={(value) => change({ currency: value, offset: undefined })}
          />
          <SegmentMenu />
        </MoreControls>
      </section>
      <section className="card" aria-label="Customers">
        <header className="card-head">
          <h2>{headingOf(total)}</h2>
          <div className="card-tools">
            <CardMenu title="Customers" question={asFile(question)} png={undefined} />
          </div>
        </header>
        <Warnings answer={answer} />
        <Answered answer={answer} height={HEIGHT}>
          {rows.length === 0 ? (
            <Empty>No customers match these filters.</Empty>
          ) : (
            <Table
              caption="Customers"
              columns={hasTenants ? [...COLUMNS, TENANT] : COLUMNS}
              rows={rows}
              currency={currencyOf(answer.data)}
              order={order}
              onOrder={(next) => change({ order: next, offset: undefined })}
            />
          )}
          <Pager
            total={total ?? 0}
            offset={offset}
            limit={LIMIT}
            onTurn={(next) => change({ offset: next === 0 ? undefined : next })}
          />
        </Answered>
      </section>
    </Page>
  )
}

function headingOf(total: number | undefined): string {
  if (total === undefined) return 'Customers'
  return total === 1 ? '1 customer' : `${formatValue(total, 'count')} customers`
}

/** Menu entries: “Any” and the known values. The chosen value is always among them. */
function choicesOf(values: readonly string[], chosen: string | undefined, field: string) {
  const known = values.filter((value) => value !== '')
  const all = chosen === undefined || known.includes(chosen) ? known : [chosen, ...known]
  const labels = distinctLabels(all, field)
  const choices = all.map((value) => ({ value, label: labels.get(value) ?? value }))
  return [{ value: ANY, label: 'Any' }, ...choices.sort((one, other) => one.label.localeCompare(other.label))]
}

const PAUSE_MS = 250

/** A search field that waits for a pause in typing. */
function SearchField({ label, value, onSearch }: { label: string; value: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return
    const pause = setTimeout(() => onSearch(text.trim()), PAUSE_MS)
    return () => clearTimeout(pause)
  }, [text, value, onSearch])
  return (
    <input
      type="search"
      className="input search-field"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  )
}
