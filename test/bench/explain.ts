import type { Statement } from '../../src/compiler/statement.ts'
import type { Engine } from '../../src/engine/contract.ts'
import type { Executor } from '../../src/ports/executor.ts'
import type { QueryTask } from './tasks.ts'

const PREFIX: Readonly<Record<string, string>> = {
  postgres: 'explain (analyze, buffers, settings)',
  mariadb: 'analyze format=json',
  mysql: 'explain analyze',
}

const MOST_SHOWN = 100

/** Plans of a task's statements with what really happened, each run in a session of the product. */
export async function explainTask(engine: Engine, executor: Executor, task: QueryTask): Promise<string> {
  // The engine runs the small statements that open a session itself: what is compiled is what answers.
  const statements = await engine.compile(task.metric, task.params, task.spec)
  const plans: string[] = []
  for (const statement of statements) plans.push(await explain(executor, statement))
  return plans.join('\n\n')
}

async function explain(executor: Executor, statement: Statement): Promise<string> {
  const rows = await executor.withSnapshot((snapshot) => {
    // Which of two servers it is, is known once one has been connected to.
    const text = `${PREFIX[executor.variant] ?? 'explain'} ${statement.text}`
    return snapshot.query({ ...statement, text })
  })
  const plan = rows.map((row) => Object.values(row).join(' ')).join('\n')
  return `-- ${statement.label}\n${statement.text};\n-- values: ${statement.values.map(shown).join(', ')}\n\n${plan}`
}

// Inline relations travel as one long JSON value.
function shown(value: Statement['values'][number]): string {
  const text = JSON.stringify(value)
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}… (${text.length} characters)` : text
}
