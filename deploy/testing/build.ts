import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';

import balena from '@balena/dockerignore';

import { environmentOf, readStages, type Stage, type Step } from './dockerfile.ts';

/** A stage as it was built: a folder in place of its file system. */
export interface BuiltStage {
  stage: Stage;
  root: string;
  /** Turns paths of the image into paths below `root`, in a command or a value. */
  placed: (text: string) => string;
}

/**
 * Runs a Dockerfile without a container engine: each stage is a folder, COPY copies into it the files that
 * `.dockerignore` lets through, RUN runs there. Base images are missing; this machine's programs replace theirs, so the
 * steps may name no path outside the folders that the file itself makes.
 *
 * @param context the folder that the image is built from.
 * @param work an empty folder for the stages.
 * @param instead replacements of a RUN, by its text, in the folder that it would run in.
 */
export function buildImage(
  context: string,
  work: string,
  instead: Readonly<Record<string, (folder: string) => void>> = {},
): BuiltStage[] {
  const stages = readStages(readFileSync(join(context, 'Dockerfile'), 'utf8'));
  const placer = placerFor(stages);
  const built: BuiltStage[] = [];
  for (const [index, stage] of stages.entries()) {
    const root = join(work, `stage-${index}`);
    mkdirSync(root);
    const own: BuiltStage = { stage, root, placed: (text) => placer(text, root) };
    let folder = '/';
    for (const [at, step] of stage.steps.entries()) {
      if (step.keyword === 'WORKDIR') {
        folder = posix.resolve(folder, step.text);
        mkdirSync(join(root, folder), { recursive: true });
      } else if (step.keyword === 'COPY') {
        copy(step, { context, built, root, folder });
      } else if (step.keyword === 'RUN') {
        const other = instead[step.text];
        if (other !== undefined) other(join(root, folder));
        else run(step, { ...own, stage: { ...stage, steps: stage.steps.slice(0, at) } }, folder);
      }
    }
    built.push(own);
  }
  return built;
}

/** Knows the folders that the stages make, and puts them below a root wherever a text names them. */
function placerFor(stages: readonly Stage[]): (text: string, root: string) => string {
  const paths = stages.flatMap(({ steps }) =>
    steps.flatMap(({ keyword, words }) => (keyword === 'WORKDIR' || keyword === 'COPY' ? words : [])),
  );
  const folders = new Set(paths.flatMap((path) => /^\/(\w+)/.exec(path)?.[1] ?? []));
  const pattern = new RegExp(String.raw`(?<![\w.-])/(${[...folders].join('|')})(?![\w.-])`, 'g');
  return (text, root) => text.replaceAll(pattern, (_, name: string) => join(root, name));
}

function run({ text }: Step, { stage, root, placed }: BuiltStage, folder: string): void {
  const inherited = Object.entries(process.env).filter(([name]) => name === 'HOME' || /^npm_config_/i.test(name));
  const own = environmentOf(stage, { PATH: process.env['PATH'] ?? '' });
  const env = {
    ...Object.fromEntries(inherited),
    ...Object.fromEntries(Object.entries(own).map(([name, value]) => [name, placed(value)])),
    // The same packages have just been installed for the tests.
    npm_config_prefer_offline: 'true',
  };
  try {
    execFileSync('/bin/sh', ['-c', placed(text)], { cwd: join(root, folder), env, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    throw new Error(`RUN ${text} failed: ${String(error)}`, { cause: error });
  }
}

interface CopyPlace {
  context: string;
  built: readonly BuiltStage[];
  root: string;
  folder: string;
}

function copy({ words, flags }: Step, { context, built, root, folder }: CopyPlace): void {
  const sources = words.slice(0, -1);
  const last = words.at(-1) ?? '';
  const target = join(root, posix.resolve(folder, last));
  const stageName = flags.get('from');
  for (const source of sources) {
    const intoFolder = last.endsWith('/') || sources.length > 1 || last === '.';
    if (stageName === undefined) copyFromContext(context, source, target, intoFolder);
    else {
      const from = built.find(({ stage }) => stage.name === stageName);
      if (from === undefined) throw new Error(`There is no stage ${stageName} before this one.`);
      mkdirSync(dirname(target), { recursive: true });
      // Moved: nothing reads it again, and it is hundreds of megabytes.
      renameSync(join(from.root, source), target);
    }
  }
}

function copyFromContext(context: string, source: string, target: string, intoFolder: boolean): void {
  const rules = readFileSync(join(context, '.dockerignore'), 'utf8');
  const ignored = balena.default().add(rules).createFilter();
  const readmitted = rules.split('\n').flatMap((line) => /^!(.+)/.exec(line)?.[1] ?? []);
  const isSent = (path: string): boolean => ignored(path) || readmitted.some((one) => one.startsWith(`${path}/`));
  const walk = (path: string, to: string): void => {
    const from = join(context, path);
    if (path !== '' && !isSent(path)) return;
    const entries = path === '' || isFolder(from) ? readdirSync(from) : undefined;
    if (entries === undefined) {
      mkdirSync(dirname(to), { recursive: true });
      cpSync(from, to);
    } else for (const entry of entries) walk(posix.join(path, entry), join(to, entry));
  };
  const path = posix.normalize(source) === '.' ? '' : posix.normalize(source);
  if (!existsSync(join(context, path))) throw new Error(`COPY ${source}: there is no such file.`);
  if (path !== '' && !isSent(path)) throw new Error(`COPY ${source}: .dockerignore keeps it from the builder.`);
  const isWhole = path === '' || isFolder(join(context, path));
  walk(path, intoFolder && !isWhole ? join(target, basename(path)) : target);
}

function isFolder(path: string): boolean {
  try {
    readdirSync(path);
    return true;
  } catch {
    return false;
  }
}
