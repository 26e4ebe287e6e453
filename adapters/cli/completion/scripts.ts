/**
 * For each shell the few lines that ask the command what may come next. What was typed is handed over as words and
 * never evaluated; a line `:files` in the answer leaves the word to the shell.
 */
export const shells = ["bash", "zsh", "fish"] as const
export type Shell = (typeof shells)[number]

const bash = `# bash completion for holdfast. In ~/.bashrc: eval "$(holdfast completion bash)"
_holdfast() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    if [ "$line" = ":files" ]; then
      compopt -o default 2>/dev/null || :
      return
    fi
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <("$1" completion --complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _holdfast holdfast
`

const zsh = `#compdef holdfast
# zsh completion for holdfast. In ~/.zshrc: eval "$(holdfast completion zsh)"
_holdfast() {
  local line
  local -a found
  while IFS= read -r line; do
    if [[ $line == ":files" ]]; then
      _files
      return
    fi
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <("\${(Q)words[1]}" completion --complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  _describe holdfast found
}
if [[ \${funcstack[1]} == _holdfast ]]; then
  _holdfast "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
  compdef _holdfast holdfast
fi
`

const fish = `# fish completion for holdfast. In ~/.config/fish/config.fish: holdfast completion fish | source
function __holdfast_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l found ($words[1] completion --complete -- $words[2..-1] "$current" 2>/dev/null)
  if test "$found[1]" = ":files"
    __fish_complete_path "$current"
  else if set -q found[1]
    printf '%s\\n' $found
  end
end
complete -c holdfast -f -a '(__holdfast_complete)'
`

export const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish }
