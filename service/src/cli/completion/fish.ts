import type { Words } from './words.ts';

/** The script that teaches fish what may follow each word, and what each is. */
export function fishScript(commands: readonly Words[]): string {
  const paths = commands.filter(({ path }) => path !== '').map(({ path }) => quoted(` ${path}`));
  return `# Completion of marque. fish: marque completion fish | source
function __marque_at --argument-names wanted
    set -l path ''
    set -l words (commandline -opc)
    for word in $words[2..-1]
        switch "$path $word"
            case ${paths.join(' ')}
                set path "$path $word"
        end
    end
    test "$path" = "$wanted"
end
complete -c marque -f
${commands.flatMap(linesOf).join('\n')}
`;
}

function linesOf({ path, commands, options }: Words): string[] {
  const at = `complete -c marque -n ${quoted(`__marque_at ${path === '' ? "''" : quoted(` ${path}`)}`)}`;
  return [
    ...commands.map(({ word, description }) => `${at} -a ${quoted(word)} -d ${quoted(description)}`),
    ...options.map(({ word, description, takesValue, values }) => {
      const value = values === undefined ? (word === '--file' ? ' -F' : '') : ` -a ${quoted(values.join(' '))}`;
      return `${at} -l ${word.slice(2)}${takesValue ? ` -r${value}` : ''} -d ${quoted(description)}`;
    }),
  ];
}

/** In fish, within single quotes only the quote itself and the backslash are special. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
