import { type FileSearch, searched } from './toml-file.ts'

/** What to do where no billing database is configured: which file says nothing of it, or where one was looked for, and what to run. */
export function whereToStart(search: FileSearch, file: string | undefined): string {
  const looked =
    file === undefined
      ? `there is no plumbline.toml in ${searched(search).join(', ')}`
      : `${file} has no url in its section [database]`
  return `${looked}; \`plumbline init postgres://user:password@host/database\` (or mysql://…) writes one, \`plumbline --demo summary\` answers on sample data`
}
