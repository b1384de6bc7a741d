import type { Issue } from '../../core/errors.ts'
import { clipped } from '../../core/text.ts'

/** Issues that one answer lists unless told (`limits.issues`). */
export const MOST_ISSUES = 100

const MOST_CHARACTERS = 4_000
const MOST_TOGETHER = 65_536

/** A sentence about a request, which may quote what was sent: its beginning. */
export function boundedText(text: string): string {
  return clipped(text, MOST_CHARACTERS)
}

/** The first issues: as many as are wanted, and no more than a client can reasonably take. At least one. */
export function boundedIssues(issues: readonly Issue[], most: number): readonly Issue[] {
  const shown: Issue[] = []
  let length = 0
  for (const issue of issues.slice(0, most)) {
    const short = bounded(issue)
    length += JSON.stringify(short).length
    if (length > MOST_TOGETHER && shown.length > 0) break
    shown.push(short)
  }
  return shown
}

function bounded(issue: Issue): Issue {
  return {
    ...issue,
    where: boundedText(issue.where),
    ...('value' in issue ? { value: boundedValue(issue.value) } : {}),
    message: boundedText(issue.message),
  }
}

// What is too long is shown as text: the beginning of its JSON.
function boundedValue(value: unknown): unknown {
  if (typeof value === 'string') return boundedText(value)
  if (typeof value !== 'object' || value === null) return value
  const json = JSON.stringify(value)
  return json.length > MOST_CHARACTERS ? boundedText(json) : value
}
