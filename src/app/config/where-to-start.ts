import { FALLBACK } from './address-sources.ts'
import { type FileSearch, searched } from './toml-file.ts'

/** What to do where no billing database is configured: which file says nothing of it, or where one was looked for, and what to run. */
export function whereToStart(
  search: FileSearch,
  file: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const looked =
    file === undefined
      ? `there is no plumbline.toml in ${searched(search).join(', ')}`
      : `${file} has no url in its section [database]`
  // It is not shown: its text may hold a password.
  const other = (environment[FALLBACK] ?? '') === '' ? '' : `; ${FALLBACK} names no PostgreSQL, MySQL or MariaDB`
  return `${looked}${other}; \`plumbline init postgres://user:password@host/database\` (or mysql://…) writes one, \`plumbline --demo summary\` answers on sample data`
}
