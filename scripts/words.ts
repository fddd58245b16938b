import { Visitor, parseSync } from 'oxc-parser';

/**
 * First words of a docstring that is a clause, where one with a verb or a plain noun says more: "Returns …", "True if
 * …".
 */
const CLAUSE = /^\*[\s*]*(Wh(?:at|ether|y|ich|ere|o)(?:ever)?|How(?:ever)?|Those|That)\b/;

/** The first word of a docstring. */
const FIRST_WORD = /^\*[\s*]*([^\s,.:;]+)/;

/** A verb in the third person. */
const VERB = /^(?:[A-Z][a-z]*-?[a-z]+s|@\w+)$/;

/** Code that others read to use it; tests, their helpers and benchmarks describe what happens. */
const PRODUCT = /^(?:catalog\/sources|\w+\/src)\/(?!.*(?:\.test\.tsx?$|(?<=\/)testing\/))/;

/** Words that are gone from identifiers, each with the one that docs/glossary.md or American spelling has instead. */
const LOSERS: readonly (readonly [loser: RegExp, instead: string])[] = [
  [/labelled/i, 'labeled'],
  [/judgement/i, 'judgment'],
  [/behaviour/i, 'behavior'],
  [/neighbour/i, 'neighbor'],
  [/litre/i, 'liter'],
];

/** Names that were words of our own, each with the one that says more. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['Bearing', 'CrossCheck'],
  ['Beginning', 'PrefixInfo'],
  ['borneOut', 'confirmed'],
  ['Candidate', 'ProposedOverride or OpenField'],
  ['DecodeOrder', 'SingleRequest or DecodeJob'],
  ['ENDINGS', 'SAMPLE_SUFFIXES'],
  ['Face', 'McpBackend or Transport'],
  ['Fleet', 'RegisterOptions'],
  ['Judgment', 'TableTrust'],
  ['KeptPages', 'CachedPages'],
  ['KeptReport', 'CachedReport'],
  ['Lesson', 'LearnJob or ImportedCars'],
  ['Lives', 'GenerationSpans'],
  ['Order', 'MeteredRequest or LookUpRequest'],
  ['profile', 'layout'],
  ['Proven', 'RuleScore'],
  ['sayMetered', 'setMeteredHeaders'],
  ['Sealer', 'SecretBox'],
  ['Settlement', 'BatchOutcome'],
  ['Taught', 'RegisterPatterns'],
  ['tellPending', 'replyPending'],
  ['Told', 'WireAnswer'],
  ['toldOf', 'reportedDraft'],
  ['Transfers', 'TransferLimits'],
  ['Trust', 'LearnConfidence'],
  ['Turns', 'FairFileQueue'],
  ['VpicReader', 'VpicClaims'],
  ['WorldProfile', 'VinLayout'],
  ['WorldWriter', 'LayoutClaims'],
]);

/** Members of answers in JSON, whose names cannot change. */
const PUBLIC: ReadonlySet<string> = new Set(['labelled']);

/**
 * Lists the faults in the words of a source file, one line each: docstrings that begin with a clause, those of functions
 * that begin with no verb, and identifiers with words that are gone.
 */
export function wordFaults(file: string, text: string): string[] {
  const { comments, program } = parseSync(file, text);
  const lineOf = (at: number): number => text.slice(0, at).split('\n').length;
  const faults = comments.flatMap(({ type, value, start }) => {
    const word = type === 'Block' ? CLAUSE.exec(value)?.[1] : undefined;
    if (word === undefined) return [];
    return [`${file}:${lineOf(start)}: a docstring begins with "${word}": begin with a verb, or with a noun`];
  });
  /** Sees a function or method; one that begins with a capital is a component, a part of a page. */
  const seeFunction = (name: string, start: number): void => {
    const above = comments.findLast(
      ({ type, value, end }) => type === 'Block' && value.startsWith('*') && end <= start,
    );
    if (above === undefined || !/^\s*(?:export )?(?:default )?$/.test(text.slice(above.end, start))) return;
    const word = FIRST_WORD.exec(above.value)?.[1] ?? '';
    if (VERB.test(word) || /^[A-Z]/.test(name)) return;
    faults.push(`${file}:${lineOf(start)}: the docstring of ${name} begins with "${word}": begin with a verb`);
  };
  const see = ({ name, start }: { name: string; start: number }): void => {
    const found = PUBLIC.has(name) ? undefined : LOSERS.find(([loser]) => loser.test(name));
    const instead = found?.[1] ?? RENAMED.get(name);
    if (instead !== undefined) faults.push(`${file}:${lineOf(start)}: ${name}: write ${instead}`);
  };
  new Visitor({ Identifier: see, PrivateIdentifier: see }).visit(program);
  if (!PRODUCT.test(file)) return faults;
  new Visitor({
    FunctionDeclaration: ({ id, start }) => seeFunction(id?.name ?? '', start),
    MethodDefinition: ({ key, kind, start }) => {
      if (kind === 'method') seeFunction(text.slice(key.start, key.end), start);
    },
  }).visit(program);
  return faults;
}
