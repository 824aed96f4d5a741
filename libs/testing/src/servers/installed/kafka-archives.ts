import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { userCache } from '../../user-cache.ts';

const pom = fileURLToPath(new URL('../../../../../infra/kafka/pom.xml', import.meta.url));
const cache = userCache('kafka');
const version = /<version>([^<]+)<\/version>/.exec(readFileSync(pom, 'utf8'))?.[1] ?? '';

/** Folder of Kafka's Java archives; it is there only when it is complete. */
export const kafkaArchives = join(cache, version);

/**
 * Copies the archives that `infra/kafka/pom.xml` names, unless they are there. Several processes may do so at once.
 *
 * @returns undefined when they are there, else why not, in one line
 */
export function fetchKafkaArchives(): string | undefined {
  if (existsSync(kafkaArchives)) return undefined;
  const draft = join(cache, `${version}.${process.pid}`);
  mkdirSync(draft, { recursive: true });
  try {
    const done = spawnSync(
      'mvn',
      ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${draft}`, '-DincludeScope=runtime'],
      { encoding: 'utf8', timeout: 240_000, killSignal: 'SIGKILL' },
    );
    if (done.status !== 0) return firstLine(done.error?.message ?? done.stdout + done.stderr);
    if (!existsSync(kafkaArchives)) renameSync(draft, kafkaArchives);
    return undefined;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

const firstLine = (text: string): string =>
  text.split('\n').find((line) => line.trim() !== '') ?? 'Maven ended without a word';
