import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

interface ComposeService {
  readonly profiles?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly read_only?: boolean;
  readonly build?: unknown;
  readonly healthcheck?: unknown;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly user?: string;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly pids_limit?: number;
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
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
  return parse(text, { merge: true, reviver: (_, value: unknown) => filledIn(value, variables) }) as ComposeFile;
}

function filledIn(value: unknown, variables: Readonly<Record<string, string>>): unknown {
  if (typeof value !== 'string') return value;
  return value.replaceAll(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name: string, kind: string, word: string) => {
    const given = variables[name];
    if (given !== undefined && given !== '') return given;
    if (kind === '?') throw new Error(`${name}: ${word}`);
    return word;
  });
}
