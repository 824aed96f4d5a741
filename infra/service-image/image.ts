import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DockerfileParser } from 'dockerfile-ast';
import type { Copy, From, Instruction, JSONInstruction } from 'dockerfile-ast';
import { buildContext } from './build-context.ts';
import type { BuildContext } from './build-context.ts';

/** A stage of a Dockerfile, carried out in a folder instead of a container. The base image counts as empty. */
export interface Stage {
  /** Stands for the stage's root. */
  readonly folder: string;
  workdir: string;
  readonly environment: Record<string, string>;
  user: string;
  entrypoint: readonly string[];
  command: readonly string[];
  healthcheck: readonly string[];
}

/**
 * Carries out the instructions of a Dockerfile without a container engine: the same copies, the same commands.
 * Commands must use relative paths, since the stage's root is not the machine's.
 *
 * @param into an empty folder; each stage gets a folder below it
 * @returns the stages by name
 */
export function buildImage(dockerfile: string, context: string, into: string): ReadonlyMap<string, Stage> {
  const stages = new Map<string, Stage>();
  const files = buildContext(context);
  let stage: Stage | undefined;
  for (const instruction of DockerfileParser.parse(readFileSync(dockerfile, 'utf8')).getInstructions()) {
    if (instruction.getKeyword() === 'FROM') stage = begin(instruction as From, stages, into);
    else if (stage !== undefined) carryOut(instruction, stage, stages, files);
  }
  return stages;
}

function begin(from: From, stages: Map<string, Stage>, into: string): Stage {
  const name = from.getBuildStage() ?? `stage-${stages.size}`;
  const base = stages.get(from.getImage() ?? '');
  const stage: Stage = {
    ...(base ?? { workdir: '/', user: '0', entrypoint: [], command: [], healthcheck: [] }),
    environment: { ...base?.environment },
    folder: join(into, name),
  };
  mkdirSync(stage.folder, { recursive: true });
  if (base !== undefined) linkAll(base.folder, stage.folder);
  stages.set(name, stage);
  return stage;
}

function carryOut(
  instruction: Instruction,
  stage: Stage,
  stages: ReadonlyMap<string, Stage>,
  files: BuildContext,
): void {
  const words = instruction.getArguments().map((argument) => argument.getValue());
  switch (instruction.getKeyword()) {
    case 'WORKDIR':
      stage.workdir = words[0] ?? '/';
      mkdirSync(inStage(stage, '.'), { recursive: true });
      return;
    case 'COPY':
      return copy(instruction as Copy, words, stage, stages, files);
    case 'RUN':
      // Packages belong to the base image, in the place of which the machine stands.
      if (words[0] === 'apt-get') return;
      return run(instruction.getRawArgumentsContent() ?? '', stage);
    case 'ENV':
      for (const word of words)
        stage.environment[word.split('=')[0] ?? ''] = filledIn(word.slice(word.indexOf('=') + 1), stage.environment);
      return;
    case 'ARG':
      for (const word of words) stage.environment[word.split('=')[0] ?? ''] ??= word.slice(word.indexOf('=') + 1);
      return;
    case 'USER':
      stage.user = words[0] ?? '';
      return;
    case 'ENTRYPOINT':
      // No process is process 1 here, and none needs an init.
      stage.entrypoint = strings(instruction).slice(strings(instruction)[0] === 'tini' ? 2 : 0);
      return;
    case 'CMD':
      stage.command = strings(instruction);
      return;
    case 'HEALTHCHECK':
      stage.healthcheck = JSON.parse(/CMD\s+(\[.*\])/.exec(instruction.getRawArgumentsContent() ?? '')?.[1] ?? '[]');
      return;
    case 'EXPOSE':
      return;
    default:
      throw new Error(`${instruction.getKeyword()} can't be carried out without a container engine.`);
  }
}

function copy(
  instruction: Copy,
  words: readonly string[],
  stage: Stage,
  stages: ReadonlyMap<string, Stage>,
  files: BuildContext,
): void {
  const [source = '', target = ''] = words;
  const from = instruction.getFromFlag()?.getValue();
  if (from === undefined || from === null) return files.copy(source, inStage(stage, target));
  const other = stages.get(from);
  if (other === undefined) throw new Error(`COPY --from=${from}: there is no such stage.`);
  linkAll(join(other.folder, source), inStage(stage, target));
}

/** A command that takes longer hangs, for example on a network, milliseconds. */
const longestMs = 360_000;

/**
 * With npm's cache instead of its registry where possible, and without the settings of an npm that runs the tests.
 *
 * @throws Error with the command when it fails or takes longer than six minutes
 */
function run(command: string, stage: Stage): void {
  const inherited = Object.entries(process.env).filter(
    ([name]) =>
      !/^npm_(?!config_(registry|cache|userconfig|globalconfig)$)|^INIT_CWD$|^NODE_(?!EXTRA_CA_CERTS$)/.test(name),
  );
  try {
    execFileSync('sh', ['-c', command], {
      cwd: inStage(stage, '.'),
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: longestMs,
      killSignal: 'SIGKILL',
      env: {
        ...Object.fromEntries(inherited),
        ...stage.environment,
        PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
        npm_config_prefer_offline: 'true',
        npm_config_update_notifier: 'false',
      },
    });
  } catch (cause) {
    throw new Error(`RUN ${command}: ${(cause as Error).message}`, { cause });
  }
}

const filledIn = (text: string, variables: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\$(\w+)/g, (_, name: string) => variables[name] ?? '');

const inStage = (stage: Stage, path: string): string => join(stage.folder, stage.workdir, path);

const strings = (instruction: Instruction): string[] =>
  (instruction as JSONInstruction).getJSONStrings().map((each) => each.getJSONValue());

/** Hard links are enough: later instructions add and remove files, and change none. */
function linkAll(from: string, to: string): void {
  if (!existsSync(from)) throw new Error(`COPY: ${from} does not exist.`);
  mkdirSync(to, { recursive: true });
  execFileSync('cp', ['-a', ...(statSync(from).dev === statSync(to).dev ? ['-l'] : []), '-f', `${from}/.`, to]);
}
