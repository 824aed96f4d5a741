import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

export interface ComposeService {
  readonly profiles?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly read_only?: boolean;
  readonly build?: unknown;
  readonly healthcheck?: unknown;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly volumes?: readonly string[];
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const text = readFileSync(fileURLToPath(new URL('../../docker-compose.yml', import.meta.url)), 'utf8');

/** Names of the variables that must be given, in `.env` or otherwise: `${NAME:?…}`. */
export const requiredVariables: readonly string[] = [
  ...new Set([...text.matchAll(/\$\{(\w+):\?/g)].map((match) => match[1] ?? '')),
];

/**
 * docker-compose.yml with its variables filled in, as Compose does: `${NAME:-default}` and `${NAME:?complaint}`.
 *
 * @throws Error with the complaint
 */
export function composeFile(variables: Readonly<Record<string, string>>): ComposeFile {
  const filled = text.replaceAll(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name: string, kind: string, word: string) => {
    const value = variables[name];
    if (value !== undefined && value !== '') return value;
    if (kind === '?') throw new Error(`${name}: ${word}`);
    return word;
  });
  return parse(filled, { merge: true }) as ComposeFile;
}
