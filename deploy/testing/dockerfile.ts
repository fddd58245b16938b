import { DockerfileParser, type Flag, type Instruction, type PropertyInstruction } from 'dockerfile-ast';

/** One instruction of a Dockerfile. */
export interface Step {
  keyword: string;
  /** Flags by name, without dashes. */
  flags: Map<string, string>;
  /** Its words, or the strings of its JSON form. */
  words: string[];
  /** The text after the keyword and the flags, on one line. */
  text: string;
  isJson: boolean;
  /** Names and values, in order, that ENV, ARG and LABEL set. */
  properties: [string, string][];
}

/** A stage: its base image, its name, and its steps. */
export interface Stage {
  base: string;
  name: string | undefined;
  steps: Step[];
}

/** Reads a Dockerfile into its stages. */
export function readStages(content: string): Stage[] {
  const stages: Stage[] = [];
  for (const instruction of DockerfileParser.parse(content).getInstructions()) {
    const step = readStep(instruction);
    if (step.keyword === 'FROM') {
      const [base = '', , name] = step.words;
      stages.push({ base, name, steps: [] });
    } else stages.at(-1)?.steps.push(step);
  }
  return stages;
}

function readStep(instruction: Instruction): Step {
  const keyword = instruction.getKeyword();
  const text = (instruction.getRawArgumentsContent() ?? '').replaceAll(/\\\r?\n\s*/g, ' ');
  const flags = new Map(flagsOf(instruction).map((flag) => [flag.getName(), flag.getValue() ?? '']));
  const withoutFlags = keyword === 'RUN' ? text : text.replaceAll(/(?:^|\s)--[\w-]+=\S+/g, '').trim();
  const isJson = withoutFlags.startsWith('[');
  const words: string[] = isJson ? JSON.parse(withoutFlags) : withoutFlags.split(/\s+/);
  return { keyword, flags, words, text: withoutFlags, isJson, properties: propertiesOf(instruction) };
}

function flagsOf(instruction: Instruction): Flag[] {
  return hasFlags(instruction) ? instruction.getFlags() : [];
}

function hasFlags(instruction: Instruction): instruction is Instruction & { getFlags: () => Flag[] } {
  return 'getFlags' in instruction;
}

function propertiesOf(instruction: Instruction): [string, string][] {
  if (!hasProperties(instruction)) return [];
  return instruction.getProperties().map((property) => [property.getName(), property.getValue() ?? '']);
}

function hasProperties(instruction: Instruction): instruction is PropertyInstruction {
  return 'getProperties' in instruction;
}

/** Returns the last step of a kind in a stage, which is the one that counts. */
export function lastStep(stage: Stage, keyword: string): Step {
  const step = stage.steps.findLast((one) => one.keyword === keyword);
  if (step === undefined) throw new Error(`The stage has no ${keyword}.`);
  return step;
}

/** Returns the command of a stage's HEALTHCHECK, which must be in JSON form: there is no shell. */
export function healthCommand(stage: Stage): string[] {
  const { text } = lastStep(stage, 'HEALTHCHECK');
  const words: string[] = JSON.parse(text.replace(/^CMD\s+/, ''));
  return words;
}

/** Returns the environment that a stage leaves behind, on top of the one that its base had. */
export function environmentOf(stage: Stage, base: Readonly<Record<string, string>>): Record<string, string> {
  const env: Record<string, string> = { ...base };
  for (const { keyword, properties } of stage.steps) {
    if (keyword !== 'ENV') continue;
    for (const [name, value] of properties) {
      env[name] = value.replaceAll(/\$\{?(\w+)\}?/g, (_, other: string) => env[other] ?? '');
    }
  }
  return env;
}
