import type { Words } from './words.ts';

/** The script that teaches Bash, and Zsh through its Bash emulation, what may follow each word. */
export function bashScript(commands: readonly Words[]): string {
  return `# Completion of marque. Bash: source <(marque completion bash). Zsh: source <(marque completion zsh).
_marque() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}" path="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    case "$path $word" in
${commands
  .filter(({ path }) => path !== '')
  .map(({ path }) => `      ${quoted(spaced(path))}) path=${quoted(` ${path}`)} ;;`)
  .join('\n')}
    esac
  done
  case "$path $before" in
${commands.flatMap(({ path, options }) => options.flatMap(({ word, values }) => (values === undefined ? [] : [`    ${quoted(spaced(path, word))}) words=${quoted(values.join(' '))} ;;`]))).join('\n')}
    *" --file") COMPREPLY=($(compgen -f -- "$current")); return ;;
    *) case "$path" in
${commands.map(({ path, commands: next, options }) => `      ${quoted(path === '' ? '' : ` ${path}`)}) words=${quoted([...next, ...options].map(({ word }) => word).join(' '))} ;;`).join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _marque marque
`;
}

/** Words as the script joins them: a blank before each. */
function spaced(...words: string[]): string {
  return words
    .filter((word) => word !== '')
    .map((word) => ` ${word}`)
    .join('');
}

/** Names of commands and options hold no quotes; a choice that did would end the script's string. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\\\''")}'`;
}
