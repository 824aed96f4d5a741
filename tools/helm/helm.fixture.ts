import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { helmProgram } from '../kubernetes/programs.ts';
import { chart } from './generated.ts';

/** Tests that need Helm: without it the run says so in one line, and ends where servers are required. */
export const describeWithHelm = helmProgram() === undefined ? describe.skip : describe;

/** An object of Kubernetes, as far as tests ask. */
export interface Rendered {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: {
    readonly name: string;
    readonly labels: Record<string, string>;
    readonly annotations?: Record<string, string>;
  };
  // What differs from kind to kind.
  readonly spec: any; // oxlint-disable-line typescript/no-explicit-any
  readonly data?: Record<string, string>;
}

const folder = fileURLToPath(chart);

/** The least that an operator must say. */
export const least = {
  existingSecret: 'secrets',
  config: { KAFKA_BROKERS: 'kafka:9092', OBJECT_STORE_ENDPOINT: 's3.example.com', OBJECT_STORE_BUCKET: 'media' },
};

/** Manifests that Helm makes of values. @throws Error with Helm's output */
export async function rendered(values: object, extra: readonly string[] = []): Promise<Rendered[]> {
  const text = await helm(['template', 'shop', folder, '--namespace', 'messaging', ...extra], values);
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Rendered | null)
    .filter((object): object is Rendered => object !== null);
}

export const lint = (values: object): Promise<string> => helm(['lint', '--strict', folder], values);

async function helm(words: readonly string[], values: object): Promise<string> {
  const place = mkdtempSync(join(tmpdir(), 'chart-'));
  try {
    const file = join(place, 'values.json');
    writeFileSync(file, JSON.stringify(values));
    const { stdout } = await promisify(execFile)(helmProgram() ?? 'helm', [...words, '--values', file], {
      maxBuffer: 64 * 1_048_576,
      env: { ...process.env, HELM_CACHE_HOME: place, HELM_CONFIG_HOME: place, HELM_DATA_HOME: place },
    });
    return stdout;
  } catch (error) {
    const { stderr, stdout } = error as { stderr?: string; stdout?: string };
    throw new Error(`${stdout ?? ''}${stderr ?? String(error)}`, { cause: error });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
