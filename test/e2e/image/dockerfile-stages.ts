import { DockerfileParser } from 'dockerfile-ast'

/** One instruction of a Dockerfile: its arguments as words, its flags by name, and the whole of what follows it. */
export interface Step {
  readonly keyword: string
  readonly words: readonly string[]
  readonly flags: Readonly<Record<string, string>>
  readonly text: string
  readonly line: number
}

/** A stage with the image or stage that it goes on from; `name` is what others call it, or its number. */
export interface Stage {
  readonly name: string
  readonly from: string
  readonly steps: readonly Step[]
}

/** The stages of a Dockerfile in their order. */
export function stagesOf(dockerfile: string): readonly Stage[] {
  const stages: { name: string; from: string; steps: Step[] }[] = []
  for (const instruction of DockerfileParser.parse(dockerfile).getInstructions()) {
    const words = instruction.getArguments().map((argument) => argument.getValue())
    const flags = 'getFlags' in instruction ? (instruction.getFlags as () => Flag[])().map((flag) => flagPair(flag)) : []
    const step = {
      keyword: instruction.getKeyword(),
      words,
      flags: Object.fromEntries(flags),
      text: instruction.getArgumentsContent() ?? '',
      line: instruction.getRange().start.line + 1,
    }
    if (step.keyword === 'FROM') stages.push({ name: words[2] ?? String(stages.length), from: words[0] ?? '', steps: [] })
    else stages.at(-1)?.steps.push(step)
  }
  return stages
}

/** The words of an instruction in its JSON form; a shell form is refused, for a shell keeps signals from the program. */
export function execForm({ text, line }: Pick<Step, 'text' | 'line'>): readonly string[] {
  const parsed: unknown = text.startsWith('[') ? JSON.parse(text) : undefined
  if (Array.isArray(parsed) && parsed.every((word) => typeof word === 'string')) return parsed
  throw new Error(`Dockerfile line ${line}: "${text}" is not in JSON form`)
}

interface Flag {
  getName(): string
  getValue(): string | null
}

function flagPair(flag: Flag): readonly [string, string] {
  return [flag.getName(), flag.getValue() ?? '']
}
