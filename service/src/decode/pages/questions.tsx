import { HINT_NAMES, type Hints } from '@marque/decoder';

import { Field, Notice } from '../../kernel/ui/fields.tsx';
import { count } from '../../kernel/ui/numbers.ts';
import { bodyText, FIELDS } from '../../report/index.ts';
import { type Narrowed, OF_ENGINE, type Question } from '../searches/questions.ts';
import { EngineChoice } from './engine-choice.tsx';

interface QuestionsProps {
  /** The path that the answers are sent to, in the address. */
  path: string;
  /** A further parameter. */
  sends?: readonly [name: string, value: string];
  /** The part of the page that is put in place. */
  target: `#${string}`;
  /** The answers that were given. */
  hints: Hints;
  faults: readonly string[];
  narrowed: Narrowed;
  /** True if the first question is open, and the others folded: to demonstrate the questions. */
  isDemonstration?: boolean;
  /** The price of answering. */
  note?: string;
}

const FREE_NOTE = 'Refining this decode is free for 24 hours.';

/** Shows the VIN's open fields as a form that narrows the report: at once with JavaScript, else by its button. */
export function Questions(props: QuestionsProps) {
  const { path, sends, target, hints, faults, narrowed, isDemonstration = false, note = FREE_NOTE } = props;
  const { questions, engine, conflicts } = narrowed;
  const left = questions.filter(({ chosen }) => chosen === undefined).length;
  const isBegun = HINT_NAMES.some((name) => hints[name] !== undefined) || faults.length > 0;
  const isShort = isDemonstration && !isBegun;
  const title = left === 0 ? 'Your answers settle every field.' : openText(left, questions, engine);
  const form = (
    <form
      class="stack"
      method="get"
      action={path}
      hx-get={path}
      hx-trigger="change, submit"
      hx-target={target}
      hx-select={target}
      hx-swap="outerHTML"
      data-address
    >
      {sends === undefined ? null : <input type="hidden" name={sends[0]} value={sends[1]} />}
      <p class="hint">Choose what you know: each answer settles more of the report. {note}</p>
      <div aria-live="polite">
        {[...faults, ...conflicts.map(conflictText)].map((text) => (
          <Notice key={text} tone="warn">
            <p>{text}</p>
          </Notice>
        ))}
      </div>
      <QuestionGrid questions={questions} engine={engine} hints={hints} isShort={isShort} />
      <p class="acts">
        <button>Narrow it down</button>
        {isBegun ? (
          <a href={sends === undefined ? path : `${path}?${sends.join('=')}${target}`}>Clear the answers</a>
        ) : null}
      </p>
    </form>
  );
  if (isShort) {
    return (
      <section class="questions no-print" aria-labelledby="open-title">
        <h3 id="open-title">{title}</h3>
        {form}
      </section>
    );
  }
  return (
    <details class="questions no-print" open={isBegun || missesKeyFacts(narrowed)}>
      <summary>{title}</summary>
      {form}
    </details>
  );
}

/** Returns the number of open details, and names the question that decides most. */
function openText(left: number, questions: readonly Question[], engine: Narrowed['engine']): string {
  const open = left === 1 ? 'One detail is open.' : `${left} details are open.`;
  const field = questions.find(({ chosen }) => chosen === undefined)?.field ?? '';
  const asked = engine.choices.length > 1 && engine.chosen === undefined ? 'engine' : labelOf(field).toLowerCase();
  return `${open} Do you know the ${asked}?`;
}

/** Fields that most readers decode a VIN for. */
const KEY_FACTS: ReadonlySet<string> = new Set(['model', 'modelYear', 'bodyStyleNormalized', ...OF_ENGINE]);

/** Returns true if such a field is open. */
function missesKeyFacts({ questions, engine }: Narrowed): boolean {
  const isOpen = questions.some(({ field, chosen }) => chosen === undefined && KEY_FACTS.has(field));
  return isOpen || (engine.choices.length > 1 && engine.chosen === undefined);
}

interface GridProps extends Pick<Narrowed, 'questions' | 'engine'> {
  hints: Hints;
  isShort: boolean;
}

function QuestionGrid({ questions, engine, hints, isShort }: GridProps) {
  const { registrationYear } = hints;
  const asksYear = questions.some(({ field }) => ['model', 'generation', 'modelYear'].includes(field));
  const hasEngines = engine.choices.length > 1 || engine.chosen !== undefined;
  const single = hasEngines ? questions.filter(({ field }) => OF_ENGINE.has(field)) : [];
  const asked = questions
    .filter((question) => !single.includes(question))
    .map((question) => <Asked key={question.field} question={question} />);
  if (asksYear || registrationYear !== undefined) asked.push(<RegistrationYear key="year" year={registrationYear} />);
  const first = hasEngines ? <EngineChoice {...engine} /> : asked.shift();
  const rest = (
    <>
      {single.length === 0 ? null : <SingleQuestions questions={single} />}
      {asked.length === 0 ? null : <div class="question-grid">{asked}</div>}
    </>
  );
  return (
    <>
      {hasEngines ? first : <div class="question-grid">{isShort ? first : [first, ...asked]}</div>}
      {isShort && single.length + asked.length > 0 ? (
        <details>
          <summary>Ask about something else</summary>
          {rest}
        </details>
      ) : null}
      {isShort || !hasEngines ? null : rest}
    </>
  );
}

/** The parts of an engine, for who does not know which one it is. */
function SingleQuestions({ questions }: Pick<Narrowed, 'questions'>) {
  return (
    <details open={questions.some(({ chosen }) => chosen !== undefined)}>
      <summary>I do not know the engine</summary>
      <div class="question-grid">
        {questions.map((question) => (
          <Asked key={question.field} question={question} />
        ))}
      </div>
    </details>
  );
}

function RegistrationYear({ year }: { year: number | undefined }) {
  return (
    <Field
      label="Year of first registration"
      name="registrationYear"
      value={year === undefined ? '' : String(year)}
      inputMode="numeric"
      maxLength={4}
      isOptional
      hint="In the registration document."
    />
  );
}

function Asked({ question }: { question: Question }) {
  return question.hint === undefined ? (
    <Possible question={question} />
  ) : (
    <Choices question={question} name={question.hint} />
  );
}

function conflictText(name: string): string {
  const label = [...FIELDS].find(([path]) => path === name || path.endsWith(`.${name}`))?.[1].label ?? name;
  return `${label}: your answer contradicts what the VIN settles, so it is left out.`;
}

function labelOf(field: string): string {
  return field === 'bodyStyleNormalized' ? 'Body style' : (FIELDS.get(field)?.label ?? 'Plant');
}

/** Returns a value as people read it. */
function valueText(field: string, value: string | number): string {
  const unit = FIELDS.get(field)?.unit;
  if (typeof value === 'number') return `${count(value)}${unit === undefined ? '' : `\u00a0${unit}`}`;
  return field === 'bodyStyleNormalized' ? bodyText(value) : value;
}

/**
 * Sorts numbers from small to large, so that one is found among twenty; words stay as they are, the likeliest first.
 */
function inOrder(values: readonly (string | number)[]): readonly (string | number)[] {
  return values.every((value) => typeof value === 'number') ? values.toSorted((a, b) => a - b) : values;
}

function Choices({ question: { field, choices, chosen, settledBy }, name }: { question: Question; name: string }) {
  // An answer that is only near a possibility is listed beside them.
  const offered = inOrder(chosen === undefined || choices.includes(chosen) ? choices : [chosen, ...choices]);
  return (
    <fieldset>
      <legend>{labelOf(field)}</legend>
      <div class="chips">
        {offered.map((value) => (
          <label key={value} class="chip">
            <input type="radio" id={`${name}-${value}`} name={name} value={value} checked={value === chosen} />
            {valueText(field, value)}
          </label>
        ))}
        <label class="chip">
          <input type="radio" id={`${name}-none`} name={name} value="" checked={chosen === undefined} />
          Not known
        </label>
      </div>
      <Look settledBy={settledBy} />
    </fieldset>
  );
}

/** Shows a field's possible values, which only answers to other questions decide. */
function Possible({ question: { field, choices, settledBy } }: { question: Question }) {
  return (
    <div>
      <p class="question">{labelOf(field)}</p>
      <p>
        {inOrder(choices)
          .map((value) => valueText(field, value))
          .join(', ')}
      </p>
      <Look settledBy={settledBy} />
    </div>
  );
}

function Look({ settledBy }: { settledBy: readonly string[] }) {
  const places = settledBy.map((text) => text.replace(/^a look at /, ''));
  return places.length === 0 ? null : <p class="hint">Look at {places.join('; ')}.</p>;
}
