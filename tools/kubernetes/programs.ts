// Programs that try the chart and the workflows. `.ci/run` builds them with Go; elsewhere those that are installed serve.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where `build.ts` puts what it has built. */
export const builtPrograms = fileURLToPath(new URL('../../.cache/kubernetes/', import.meta.url));

/** The program of this name that was built, else the one in PATH; undefined: there is none. */
export function programOf(name: string): string | undefined {
  const places = [builtPrograms, ...(process.env['PATH'] ?? '').split(delimiter)];
  return places.map((place) => join(place, name)).find((path) => existsSync(path));
}

/** Helm: `TEST_HELM`, else as above. */
export const helmProgram = (): string | undefined => process.env['TEST_HELM'] ?? programOf('helm');

/** What the test command says where there is no Helm; undefined where there is one. */
export const missingHelm = (): string | undefined =>
  helmProgram() === undefined
    ? 'There is no Helm: the chart is not tried. Install Helm 4, or name it in TEST_HELM'
    : undefined;
