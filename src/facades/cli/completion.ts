import { findCommand } from './args.ts'
import { allowedOptions, type CommandOutline, type Outline, optionIn, optionOfCommand, wordOf } from './command.ts'

/** The hidden command with which the shell scripts ask for candidates. */
const COMPLETE = '__complete'

/** A word that may come next, with a note; `''` for no note. */
interface Candidate {
  readonly word: string
  readonly note: string
}

/** Tells the shell script to complete file names. */
const FILE_CANDIDATE: readonly Candidate[] = [{ word: ':files', note: '' }]
const FILE_OPTIONS: readonly string[] = ['file', 'config', 'output']

/** True if a shell script asks for candidates. */
export function isCompletion([word]: readonly string[]): boolean {
  return word === COMPLETE
}

/** Candidates for the last word: one per line, followed by a tab and a note. */
export function candidateLines([, ...given]: readonly string[], outline: Outline): string {
  const words = withoutEqualsSigns(given)
  const candidates = candidatesFor(words.slice(0, -1), words.at(-1) ?? '', outline)
  return candidates.map(({ word, note }) => `${word}\t${note}\n`).join('')
}

function candidatesFor(before: readonly string[], last: string, outline: Outline): readonly Candidate[] {
  const { options, words, open } = split(before, outline)
  const { command, rest } = findCommand(outline.root, words)
  const [, option, begun] = /^--([^=]+)=(.*)$/s.exec(last) ?? []
  if (option !== undefined) {
    const values = valuesOf(option, command, outline)
    return values === FILE_CANDIDATE
      ? values
      : beginning(values, begun ?? '').map(({ word, note }) => ({
          word: `--${option}=${word}`,
          note,
        }))
  }
  if (open !== undefined) {
    const values = valuesOf(open, command, outline)
    return values === FILE_CANDIDATE ? values : beginning(values, last)
  }
  if (last.startsWith('-')) return beginning(optionsOf(command, options, outline), last)
  // After "help" come the words of a command.
  const named = command.name === 'help' ? findCommand(outline.root, rest).command : command
  return beginning(wordsOf(named, command === named ? rest.length : 0), last)
}

/** Splits the command line before the cursor into option names, other words, and the option that still needs its value. */
function split(before: readonly string[], outline: Outline) {
  const options: string[] = []
  const words: string[] = []
  let open: string | undefined
  for (const word of before) {
    if (open !== undefined) open = undefined
    else if (word.startsWith('-')) {
      const name = nameOf(word, outline)
      options.push(name)
      open = optionIn(outline, name)?.type === 'string' && !word.includes('=') ? name : undefined
    } else words.push(word)
  }
  return { options, words, open }
}

function nameOf(word: string, { options }: Outline): string {
  if (word.startsWith('--')) return word.slice(2).replace(/=.*/s, '')
  return Object.entries(options).find(([, { alias }]) => alias === word.slice(1))?.[0] ?? word
}

function valuesOf(option: string, { dimensions = [], filters = [] }: CommandOutline, outline: Outline): readonly Candidate[] {
  if (FILE_OPTIONS.includes(option)) return FILE_CANDIDATE
  if (option === 'dimension') return dimensions.map(plain)
  if (option === 'filter') return filters.map((key) => plain(`${key}=`))
  return (optionIn(outline, option)?.values ?? []).map(plain)
}

function optionsOf(command: CommandOutline, given: readonly string[], outline: Outline): readonly Candidate[] {
  return allowedOptions(outline, command).flatMap((name) => {
    const def = optionOfCommand(outline, command, name)
    if (def === undefined || (given.includes(name) && def.repeatable !== true)) return []
    return [{ word: `--${name}`, note: def.description ?? '' }]
  })
}

function wordsOf({ subCommands = [], positionals = [] }: CommandOutline, given: number): readonly Candidate[] {
  const below = given === 0 ? subCommands.map((sub) => ({ word: wordOf(sub), note: sub.description })) : []
  const positional = positionals[given]
  if (positional?.isFile === true && below.length === 0) return FILE_CANDIDATE
  return [...below, ...(positional?.values ?? []).map(plain)]
}

function plain(word: string): Candidate {
  return { word, note: '' }
}

function beginning(candidates: readonly Candidate[], begun: string): readonly Candidate[] {
  return candidates === FILE_CANDIDATE ? FILE_CANDIDATE : candidates.filter(({ word }) => word.startsWith(begun))
}

// bash splits at equals signs: `--interval = month`.
function withoutEqualsSigns(words: readonly string[]): readonly string[] {
  return words
    .filter((word, index) => {
      const isSign = word === '=' && words[index - 1]?.startsWith('--') === true
      return !isSign || index === words.length - 1
    })
    .map((word, index, all) => (word === '=' && index === all.length - 1 ? '' : word))
}

const ASK = `plumbline ${COMPLETE}`

const BASH = `# Completion of plumbline in bash: source <(plumbline completion bash)
_plumbline() {
  local word note
  COMPREPLY=()
  while IFS=$'\\t' read -r word note; do
    if [[ $word == :files ]]; then
      compopt -o default
      return
    fi
    [[ $word == *= ]] && compopt -o nospace
    COMPREPLY+=("$word")
  done < <(${ASK} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _plumbline plumbline
`

const ZSH = `#compdef plumbline
# Completion of plumbline in zsh: source <(plumbline completion zsh), or save this as _plumbline in a folder of $fpath
_plumbline() {
  local line
  local -a words_found keys_found
  for line in "\${(@f)$(${ASK} "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -z $line ]] && continue
    if [[ $line == :files* ]]; then
      _files
      return
    fi
    if [[ \${line%%$'\\t'*} == *= ]]; then
      keys_found+=("\${line%%$'\\t'*}")
    else
      words_found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done
  (( \${#keys_found} )) && compadd -S '' -- "\${keys_found[@]}"
  (( \${#words_found} )) && _describe plumbline words_found
}
if [[ \${funcstack[1]} == _plumbline ]]; then _plumbline "$@"; else compdef _plumbline plumbline; fi
`

const FISH = `# Completion of plumbline in fish: plumbline completion fish | source
function __plumbline_candidates
  set -l words (commandline -opc) (commandline -ct)
  set -l found (${ASK} $words[2..-1] 2>/dev/null)
  if string match -q ':files*' -- $found
    __fish_complete_path (commandline -ct)
  else
    printf '%s\\n' $found
  end
end
complete -c plumbline -f -a '(__plumbline_candidates)'
`

/** Completion scripts by shell. */
export const COMPLETION_SCRIPTS: Readonly<Record<string, string>> = Object.freeze({ bash: BASH, zsh: ZSH, fish: FISH })
