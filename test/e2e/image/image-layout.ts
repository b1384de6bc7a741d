import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, posix, relative } from 'node:path'
import { promisify } from 'node:util'
import dockerignore from '@balena/dockerignore'
import { execForm, type Stage, type Step, stagesOf } from './dockerfile-stages.ts'

/** The result of a stage after all its instructions. */
export interface ImageLayout {
  /** Folder that stands for `/` of the image. */
  readonly root: string
  /** Name of the image that the files of the system come from. */
  readonly base: string
  readonly environment: Readonly<Record<string, string>>
  readonly directory: string
  readonly user: string
  readonly volumes: readonly string[]
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
  readonly healthcheck: readonly string[]
  readonly ports: readonly string[]
}

/** Does what a RUN instruction would do, in the folder that stands for `/`; `directory` is the image's working directory. */
export type Perform = (command: string, layout: Pick<ImageLayout, 'root' | 'directory' | 'environment'>) => Promise<void>

export interface LayoutOptions {
  /** The build context; its Dockerfile and .dockerignore count. */
  readonly context: string
  /** Where the folders of the stages are made. */
  readonly workplace: string
  readonly perform: Perform
}

/**
 * Reads a Dockerfile, to follow it without a daemon: what is given makes a stage, the last one if none is named, and those that it
 * needs, each once. A file that is copied and not there, or that .dockerignore keeps out, and an instruction or command that is not
 * known are errors: nothing is passed over.
 */
export async function openDockerfile(options: LayoutOptions): Promise<(target?: string) => Promise<ImageLayout>> {
  const { context } = options
  const stages = stagesOf(await readFile(join(context, 'Dockerfile'), 'utf8'))
  const ignore = await readFile(join(context, '.dockerignore'), 'utf8')
  const isKept = dockerignore.default().add(ignore.split('\n')).createFilter()
  const made = new Map<string, Promise<ImageLayout>>()
  const make = (name: string): Promise<ImageLayout> => {
    const stage = stages.find((candidate) => candidate.name === name)
    const layout = made.get(name) ?? follow(stage, name, { ...options, isKept, make })
    made.set(name, layout)
    return layout
  }
  return (target = stages.at(-1)?.name ?? '') => make(target)
}

interface Surroundings extends LayoutOptions {
  readonly isKept: (path: string) => boolean
  readonly make: (stage: string) => Promise<ImageLayout>
}

type Draft = { -readonly [K in keyof ImageLayout]: ImageLayout[K] }

async function follow(stage: Stage | undefined, name: string, around: Surroundings): Promise<ImageLayout> {
  if (stage === undefined) throw new Error(`the Dockerfile has no stage ${name}`)
  const root = join(around.workplace, stage.name)
  await mkdir(root, { recursive: true })
  const draft = await begin(stage.from, root, around)
  for (const step of stage.steps) await take(step, draft, around)
  return draft
}

async function begin(from: string, root: string, { make }: Surroundings): Promise<Draft> {
  // An image of a registry has a tag; an image of a stage has its name.
  if (from.includes(':')) {
    await mkdir(join(root, 'tmp'), { recursive: true })
    const nothing = { environment: {}, volumes: [], entrypoint: [], command: [], healthcheck: [], ports: [] }
    return { root, base: from, directory: '/', user: 'root', ...nothing }
  }
  const parent = await make(from)
  await copyTo(root, `${parent.root}/.`)
  return { ...parent, root }
}

async function take(step: Step, draft: Draft, around: Surroundings): Promise<void> {
  const { keyword, words, text, line } = step
  switch (keyword) {
    case 'WORKDIR':
      draft.directory = posix.resolve(draft.directory, text)
      await mkdir(join(draft.root, draft.directory), { recursive: true })
      return
    case 'ENV':
      draft.environment = { ...draft.environment, ...Object.fromEntries(words.map((word) => pair(word, line))) }
      return
    case 'COPY':
      return copy(step, draft, around)
    case 'RUN':
      return around.perform(text, draft)
    case 'USER':
      draft.user = text
      return
    case 'VOLUME':
      draft.volumes = [...draft.volumes, ...words]
      return
    case 'EXPOSE':
      draft.ports = [...draft.ports, ...words]
      return
    case 'HEALTHCHECK':
      draft.healthcheck = execForm({ text: text.replace(/^.*?CMD\s+/, ''), line })
      return
    case 'ENTRYPOINT':
      draft.entrypoint = execForm(step)
      return
    case 'CMD':
      draft.command = execForm(step)
      return
    default:
      throw new Error(`Dockerfile line ${line}: ${keyword} is not followed here`)
  }
}

async function copy({ words, flags, line }: Step, draft: Draft, { context, make, isKept }: Surroundings): Promise<void> {
  const sources = words.slice(0, -1)
  const wanted = words.at(-1) ?? ''
  const destination = join(draft.root, posix.resolve(draft.directory, wanted))
  const from = flags['from'] === undefined ? context : (await make(flags['from'])).root
  for (const source of sources) {
    const path = join(from, source)
    if (!existsSync(path)) throw new Error(`Dockerfile line ${line}: there is no ${source}`)
    if (from === context && !isKept(source)) throw new Error(`Dockerfile line ${line}: .dockerignore keeps ${source} out`)
    if ((await stat(path)).isDirectory()) {
      await mkdir(destination, { recursive: true })
      await copyTo(destination, `${path}/.`)
      if (from === context) await removeIgnored(destination, source, isKept)
    } else await copyTo(wanted.endsWith('/') ? join(destination, basename(source)) : destination, path)
  }
}

// A context has thousands of files, which the system copies many times faster than a program does one by one.
async function copyTo(destination: string, source: string): Promise<void> {
  await mkdir(dirname(destination), { recursive: true })
  await promisify(execFile)('cp', ['-a', source, destination])
}

async function removeIgnored(copied: string, source: string, isKept: (path: string) => boolean): Promise<void> {
  for (const entry of await readdir(copied, { recursive: true, withFileTypes: true })) {
    const place = join(entry.parentPath, entry.name)
    if (!isKept(join(source, relative(copied, place)))) await rm(place, { recursive: true, force: true })
  }
}

function pair(word: string, line: number): readonly [string, string] {
  const [, name, value] = /^(\w+)=(.*)$/.exec(word) ?? []
  if (name === undefined || value === undefined) throw new Error(`Dockerfile line ${line}: "${word}" is not name=value`)
  return [name, value.replace(/^"(.*)"$/, '$1')]
}
