import { addressProblems } from '../../databases/addresses/read-address.ts'

/** Adds the problems of an address to those of its setting. */
export function usableAddress(url: string, check: { addIssue(message: string): void }): void {
  for (const problem of addressProblems(url)) check.addIssue(problem)
}

export function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
}
