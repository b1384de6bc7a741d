import { COMPLETE } from './complete.ts'

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
# Completion of plumbline in zsh: source <(plumbline completion zsh), or this as _plumbline in a folder of $fpath
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

/** What a shell reads to complete the words of the command line, by the name of the shell. */
export const COMPLETION_SCRIPTS: Readonly<Record<string, string>> = Object.freeze({ bash: BASH, zsh: ZSH, fish: FISH })
