import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

/** Starts the program `name` of the folder of `caller`, the address of a module, in a thread of its own. */
export function startThread(name: string, caller: string, workerData: unknown): Worker {
  const extension = extname(caller)
  const program = new URL(`${name}${extension}`, caller)
  return new Worker(extension === '.ts' ? fromSource(program) : program, { workerData })
}

// A thread does not inherit the loader through which the process reads TypeScript.
function fromSource(program: URL): URL {
  const loader = import.meta.resolve('tsx/esm/api')
  const start = `import { register } from '${loader}'; register(); await import('${program.href}')`
  return new URL(`data:text/javascript,${encodeURIComponent(start)}`)
}
