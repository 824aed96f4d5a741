import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Image } from './node/image.ts';

export interface ServiceImage {
  readonly image: Image;
  /** Of the simulated network. */
  readonly simulator: Image;
  remove(): void;
}

const here = fileURLToPath(new URL('../../../', import.meta.url));
/** Where processes keep what they have compiled; the only place beside volumes that they may write. */
const compiled = '/var/cache/compiled';
const nodeFolder = '/opt/node';

/**
 * The stages `service` and `simulator` of infra/service.Dockerfile, without a container engine: the machine stands for its base image, a
 * folder of a version for the files that it copies.
 *
 * @param version folder of the version; this one unless named
 */
export function serviceImage(version = here): ServiceImage {
  const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-image-'));
  const root = join(folder, 'root');
  const app = join(root, 'app');
  const cache = join(folder, 'compiled');
  for (const place of [app, cache, ...['dev', 'etc', 'proc', 'tmp', 'usr', 'var'].map((name) => join(root, name))])
    mkdirSync(place, { recursive: true });
  for (const name of ['bin', 'lib', 'lib64', 'sbin']) symlinkSync(`usr/${name}`, join(root, name));
  for (const name of ['contracts', 'infra', 'libs', 'node_modules', 'package.json', 'services'])
    symlinkSync(join(version, name), join(app, name));
  copyFileSync(join(version, 'infra/service-image/messaging-gateway'), join(app, 'messaging-gateway'));
  chmodSync(cache, 0o1777);
  for (const place of [folder, root]) chmodSync(place, 0o755);
  const node = realpathSync(process.execPath);
  const versions = [...new Set([here, version])].map((place) => [place, place] as const);
  const image: Image = {
    root,
    folders: [['/usr', '/usr'], [cache, compiled], [dirname(node), nodeFolder], ...versions],
    writable: [compiled],
    entrypoint: ['tini', '--', join(nodeFolder, basename(node)), '--disable-warning=ExperimentalWarning'],
    command: ['services/gateway/src/main.ts'],
    user: 1000,
    workdir: '/app',
    environment: {
      PATH: `${nodeFolder}:/usr/bin:/bin`,
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: compiled,
      API_PORT: '3333',
      HEALTH_PORT: '3100',
      SESSIONS_DIR: '/data/sessions',
      MEDIA_DIR: '/data/media',
    },
  };
  return {
    image,
    simulator: { ...image, command: ['infra/network-simulator/src/main.ts'] },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
