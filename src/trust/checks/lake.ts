import type { CheckFinding } from '../../connector-kit/connector.ts'
import { AppError } from '../../core/errors.ts'
import type { LakeCheck } from '../../ports/lake.ts'

const COMMAND = 'plumbline publish'

/** Finding of `check` about the publications of the lake. */
export async function lakeFinding(check: () => Promise<LakeCheck>): Promise<CheckFinding> {
  try {
    return findingOf(await check())
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { name: 'lake', level: 'failure', message: error.message }
  }
}

function findingOf({ ok, status, publication, data_through, reason }: LakeCheck): CheckFinding {
  const through = data_through === null ? 'nobody knows up to when it is complete' : `complete up to ${data_through}`
  const why = reason === undefined ? '' : `: ${reason}`
  switch (status) {
    case 'ready':
      return { name: 'lake', level: 'ok', message: `publication ${publication} answers, ${through}` }
    case 'stale': {
      const does = ok ? 'answers' : 'is refused'
      const message = `publication ${publication} ${does}, ${through}${why}`
      return { name: 'lake', level: ok ? 'warning' : 'failure', message, command: COMMAND }
    }
    case 'none': {
      const then = ok ? 'each question reads the billing tables' : 'questions are refused'
      return {
        name: 'lake',
        level: ok ? 'warning' : 'failure',
        message: `no publication answers${why}; ${then}`,
        command: COMMAND,
      }
    }
  }
}
