import type { ReactNode } from 'react'
import { filtersOf, type Question } from '../api/question.ts'
import { useHasScope } from '../auth/who.ts'
import { formatDay } from '../format/days.ts'
import { CommandLine } from '../parts/copy.tsx'
import { DownloadLink } from '../parts/download.tsx'
import { NeedsRead } from './needs-read.tsx'
import { type Books, type Series, seriesOf } from './use-ledger.ts'

/** A file to download. */
interface Download {
  readonly name: string
  readonly question: Question
}

const LAYOUTS = [
  ['plain', 'Plain'],
  ['quickbooks', 'QuickBooks'],
  ['xero', 'Xero'],
  ['netsuite', 'NetSuite'],
] as const

const SERIES: readonly (readonly [Series, string])[] = [
  ['revenue', 'Deferred revenue, rolled forward'],
  ['receivables/movements', 'Receivables, rolled forward'],
  ['cash', 'Cash'],
  ['credits', 'Customer credit'],
  ['dso', 'Days sales outstanding'],
]

/** Files of the month: the journal for accounting programs, the statements, and the command that writes them all. */
export function ExportTab({ books }: { readonly books: Books }) {
  const { month, audience } = books
  const mayRead = useHasScope('read')
  const name = month.start.slice(0, 7)
  const days = { start: month.start, end: month.end }
  const filters = filtersOf(audience)
  // Entries belong to tenants, and to no other group of customers.
  const ofTenants = filters.filter((entry) => entry.startsWith('tenant='))
  const isNarrowed = audience['segment'] !== undefined || ofTenants.length < filters.length
  const journal = LAYOUTS.map(([layout, label]) => ({
    name: label,
    question: { path: '/api/ledger/journal', query: { ...days, layout, filter: ofTenants } } as const,
  }))
  const at = { ...audience, at: month.end }
  const statements: readonly Download[] = [
    ...SERIES.map(([series, label]) => ({ name: `${label}, ${month.yearName}`, question: seriesOf(series, books) })),
    {
      name: `Waterfall, ${month.yearName}`,
      question: { path: '/api/metrics/ledger/waterfall', query: { ...audience, start: month.yearStart, end: month.end } },
    },
    { name: `Receivables by age, ${formatDay(month.end)}`, question: { path: '/api/metrics/ledger/receivables', query: at } },
    { name: `Trial balance, ${formatDay(month.end)}`, question: { path: '/api/metrics/ledger/trial-balance', query: at } },
  ]
  return (
    <>
      <section className="card" aria-label="Close the month">
        <header className="card-head">
          <h2>Close the month</h2>
        </header>
        <p>
          This command writes all statements of {month.name}, the open invoices and the journal as CSV and as one workbook, and
          checks them against each other.
        </p>
        <CommandLine text={`plumbline ledger close ${name} --out books/${name}`} />
      </section>
      {mayRead ? (
        <Files title={`Journal of ${month.name}`} files={journal}>
          {isNarrowed && <p className="card-note">Filters other than the tenant, and segments, do not narrow the journal.</p>}
        </Files>
      ) : (
        <NeedsRead what="Entries of the journal" />
      )}
      <Files title="Statements" files={statements} />
    </>
  )
}

interface FilesProps {
  readonly title: string
  readonly files: readonly Download[]
  /** Content above the files. */
  readonly children?: ReactNode
}

function Files({ title, files, children }: FilesProps) {
  return (
    <section className="card" aria-label={title}>
      <header className="card-head">
        <h2>{title}</h2>
      </header>
      {children}
      <ul className="plain ledger-files">
        {files.map(({ name, question }) => (
          <li key={name}>
            <span>{name}</span>
            <span className="form-buttons">
              <DownloadLink className="button" question={question} format="csv">
                CSV<span className="visually-hidden">: {name}</span>
              </DownloadLink>
              <DownloadLink className="button" question={question} format="xlsx">
                Excel<span className="visually-hidden">: {name}</span>
              </DownloadLink>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
