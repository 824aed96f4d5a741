import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { Readiness, ownerNames, personalDataHolders, serviceNames } from '@messaging-gateway/contracts';
import { parse } from 'yaml';
import { healthPorts, registry } from '../../services/registry.ts';
import { schemas } from '../../services/standalone/src/services.ts';

const read = (path: string): string => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
const sorted = (names: Iterable<string>): readonly string[] => [...names].toSorted();

interface Compose {
  readonly services: Readonly<Record<string, { readonly command?: readonly string[]; readonly depends_on?: object }>>;
}

describe('every service', () => {
  it('has a row in the registry and a port of its own', () => {
    expect(sorted(registry.map(({ name }) => name))).toEqual(sorted(ownerNames));
    expect(sorted(healthPorts.keys())).toEqual(sorted(serviceNames));
    expect(new Set(healthPorts.values()).size).toBe(serviceNames.length);
  });

  it('is asked for its health by the gateway', () => {
    expect(sorted(Object.keys(Readiness.properties.services.properties))).toEqual(sorted(ownerNames));
  });

  it('runs its own program in Compose, and the gateway there waits for it', () => {
    const { services } = parse(read('docker-compose.yml'), { merge: true }) as Compose;
    for (const name of serviceNames)
      expect([name, services[name]?.command]).toEqual([name, [`services/${name}/src/main.ts`]]);
    expect(Object.keys(services['gateway']?.depends_on ?? {})).toEqual(expect.arrayContaining([...ownerNames]));
  });

  it('is in a backup', () => expect(sorted(schemas)).toEqual(sorted(serviceNames)));

  it('shows and erases what it holds about people; identity asks the others', () => {
    const asked = ownerNames.filter((name) => name !== 'identity');
    expect(sorted(personalDataHolders.map(({ erase }) => erase.owner))).toEqual(sorted(asked));
    for (const { erase, read: show } of personalDataHolders) expect(show.owner).toBe(erase.owner);
  });

  it('is named where an installation is described', () => {
    for (const path of ['README.md', 'docs/architecture.md', 'docs/operations.md'])
      expect([path, ownerNames.filter((name) => !read(path).includes(name))]).toEqual([path, []]);
  });
});
