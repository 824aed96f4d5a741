// Which trials a run includes. A trial (`*.trial.test.ts`) takes half a minute or more, or needs a cluster or another version.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** What every service is made of. */
const core = ['libs/event-sourcing', 'libs/messaging', 'libs/postgres', 'libs/runtime', 'libs/service'];
const simulator = 'infra/network-simulator';
const products = [
  'automation',
  'campaigns',
  'gateway',
  'identity',
  'inbox',
  'insights',
  'outbound',
  'sessions',
  'standalone',
  'webhooks',
].map((name) => `services/${name}`);
const sessions = ['services/sessions', simulator, ...core];
/** A complete installation in one process, without the web UI. */
const installation = ['contracts/src', 'libs', ...products, simulator, 'tools/start.ts', 'docs/examples'];
/** A complete installation in many processes. */
const distributed = [...installation, 'tools/distributed', 'infra/rabbitmq', 'infra/kafka'];
const pages = [...installation, 'services/admin', 'tools/build-pages.mjs'];
const cluster = [
  'helm',
  'tools/kubernetes',
  'tools/distributed/load',
  'infra/service-image',
  'libs/backup',
  'libs/leases',
  'libs/messaging',
  'libs/service',
  'services/gateway',
  'services/sessions',
  'services/standalone',
];

export interface Trial {
  readonly file: string;
  /** Files and folders whose changes can break it, beside itself. */
  readonly paths: readonly string[];
  /** Runs after the others, since it needs both cores. */
  readonly alone?: boolean;
  /** Runs in every check, in a stage of its own of `.ci/run`. */
  readonly ownStage?: boolean;
}

const files = (folder: string, names: readonly string[], paths: readonly string[]): Trial[] =>
  names.map((name) => ({ file: `${folder}/${name}.trial.test.ts`, paths }));

export const trials: readonly Trial[] = [
  { file: 'tools/distributed/previous/side-by-side.trial.test.ts', paths: installation, ownStage: true },
  { file: 'tools/kubernetes/rollouts/upgrade.trial.test.ts', paths: installation, ownStage: true },
  { file: 'tools/kubernetes/rollouts/operation.trial.test.ts', paths: cluster, alone: true },
  ...files(
    'infra/service-image',
    ['image'],
    ['infra/service.Dockerfile', 'infra/service-image', '.dockerignore', 'package-lock.json'],
  ),
  ...files('libs/messaging/src/kafka', ['kafka-outages'], ['libs/messaging', 'infra/kafka']),
  ...files('libs/messaging/src/rabbitmq', ['node-away', 'restart'], ['libs/messaging', 'infra/rabbitmq']),
  ...files('libs/testing/src/servers', ['own'], ['libs/testing', 'libs/postgres']),
  ...files('services/admin/end-to-end', ['administration', 'messages'], pages),
  ...files('services/automation/src/knowledge', ['files.service'], ['services/automation', 'libs/media', ...core]),
  ...files('services/automation/src/runs', ['bad-days.service'], ['services/automation', ...core]),
  ...files('services/campaigns/src/broadcasts', ['shuffled'], ['services/campaigns', ...core]),
  ...files('services/gateway/src/http', ['hostile-bodies'], ['services/gateway', 'libs/runtime']),
  ...files('services/inbox/src', ['shuffled'], ['services/inbox', ...core]),
  ...files(
    'services/outbound/src',
    ['lanes/take-over', 'sending/crash', 'voice-notes/voice-notes'],
    ['services/outbound', 'libs/leases', 'libs/media', ...core],
  ),
  ...files('services/sessions/src/engine/socket', ['app-state', 'killed', 'killed-late-content', 'storms'], sessions),
  ...files('services/sessions/src', ['large-media'], [...sessions, 'libs/media']),
  ...files(
    'services/sessions/src',
    ['replicas-move', 'replicas-outage', 'replicas-share', 'replicas'],
    [...sessions, 'libs/leases'],
  ),
  ...files(
    'services/standalone/end-to-end',
    ['awaited', 'clock', 'data-folder', 'durable', 'external-database', 'restrictions', 'stored-backups'],
    installation,
  ),
  ...files(
    'services/webhooks/src',
    ['chatwoot/bad-days.service', 'crash', 'replica-processes'],
    ['services/webhooks', 'libs/leases', ...core],
  ),
  ...files(
    'tools/architecture',
    ['new-service'],
    ['services/registry.ts', 'contracts/src/services.ts', 'tools/architecture', 'libs/service'],
  ),
  ...files(
    'tools/distributed',
    ['clusters/clusters', 'encrypted/encrypted', 'plain/plain', 'restored/restored'],
    distributed,
  ),
  ...files('tools/documents', ['pages'], [...installation, 'README.md', 'docs']),
  ...files('tools/helm', ['chart'], ['helm', 'tools/helm', 'services/registry.ts', 'libs/service/src/settings']),
  ...files('tools/kubernetes/cluster', ['objects'], ['helm', 'tools/kubernetes']),
  ...files('tools/nx', ['nx'], ['tools/nx', 'nx.json']),
];

/** A test breaks only itself. */
const isTest = (path: string): boolean => path.endsWith('.test.ts');

/** Whether a change of one of the paths can break the trial. */
export const isAffected = (trial: Pick<Trial, 'file' | 'paths'>, changed: readonly string[]): boolean =>
  changed.some(
    (path) =>
      path === trial.file ||
      (!isTest(path) && trial.paths.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))),
  );

/**
 * Selects the trials of a run.
 *
 * @param environment `TEST_EVERYTHING=true`: all; `TEST_TRIALS=true`: those that changes since the last release affect; else none
 * @returns the trials to run, without those that `.ci/run` runs in stages of their own
 */
export function selectTrials(environment: NodeJS.ProcessEnv): readonly Trial[] {
  const { TEST_EVERYTHING, TEST_TRIALS } = environment;
  const inMainRun = trials.filter(({ ownStage }) => ownStage !== true);
  if (TEST_EVERYTHING === 'true') return inMainRun;
  if (TEST_TRIALS !== 'true') return [];
  const changed = changedSinceRelease();
  return changed === undefined ? inMainRun : inMainRun.filter((trial) => isAffected(trial, changed));
}

/** @returns paths, also of what is not committed; undefined where the history does not contain the last release */
function changedSinceRelease(): readonly string[] | undefined {
  const release = readFileSync(new URL('../helm/last-release', import.meta.url), 'utf8').trim();
  const git = (...words: readonly string[]): string =>
    execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    return `${git('diff', '--name-only', release)}${git('ls-files', '--others', '--exclude-standard')}`
      .split('\n')
      .filter(Boolean);
  } catch {
    return undefined;
  }
}
