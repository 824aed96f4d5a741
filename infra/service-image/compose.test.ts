import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { startSimulator } from '@messaging-gateway/network-simulator';
import type { SettingsTable } from '@messaging-gateway/runtime';
import { distributedSettings, journalSettings } from '@messaging-gateway/service';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { serviceNames } from '@messaging-gateway/contracts';
import { adminSettings } from '../../services/admin/src/config.ts';
import { settingsTables } from '../../services/registry.ts';
import { composeFile, requiredVariables } from './compose-file.ts';

const read = (path: string): string => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8');
const filled = Object.fromEntries(requiredVariables.map((name) => [name, 'secret']));
const compose = composeFile(filled);
const products = Object.entries(compose.services).filter(([, service]) => service.build !== undefined);
const services: readonly string[] = serviceNames.toSorted();
const journal = { ...distributedSettings, ...journalSettings };
/** Settings that each container reads. */
const settings: Readonly<Record<string, SettingsTable>> = Object.fromEntries(
  Object.entries(settingsTables).map(([name, table]) => [
    name,
    { ...(name === 'gateway' ? distributedSettings : journal), ...table },
  ]),
);
/** Fixed by the image or by the installation: addresses, folders, its own Kafka. */
const settled =
  /^(?:NODE_ENV|TEST_CLOCK_FILE|API_HOST|HEALTH_(?:PORT|HOST)|METRICS_PORT|DATA_DIR|MEDIA_DIR|ERASURE_LOG|SESSIONS_DIR|KAFKA_(?:TLS|USERNAME|PASSWORD|SASL_MECHANISM|TOPIC_PREFIX|REPLICATION))$/;

describe('docker-compose.yml', () => {
  it('follows the Compose Specification', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const valid = ajv.compile(JSON.parse(read('compose-spec.schema.json')));
    valid(compose);
    expect(valid.errors).toBeNull();
  });

  it('runs each service in a container of its own, and the simulator only when asked', () => {
    const always = products.filter(([, service]) => service.profiles === undefined).map(([name]) => name);
    expect(always.sort()).toEqual([...services, 'admin'].toSorted());
    expect(compose.services['simulator']?.profiles).toEqual(['simulator']);
  });

  it('gives what the project builds a root file system that cannot be written', () => {
    expect(products.filter(([, service]) => service.read_only !== true)).toEqual([]);
  });

  it('confines every container: no capability but those that hand over a volume, no new privileges, an end to forking', () => {
    const handsOver = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'];
    for (const [name, service] of Object.entries(compose.services)) {
      expect([name, service.cap_drop, service.security_opt]).toEqual([name, ['ALL'], ['no-new-privileges:true']]);
      expect([name, service.cap_add ?? handsOver]).toEqual([name, handsOver]);
      expect([name, service.pids_limit]).toEqual([name, expect.any(Number)]);
    }
    expect(products.filter(([, service]) => service.cap_add !== undefined)).toEqual([]);
  });

  it('keeps the servers on a network of their own that leads nowhere else', () => {
    expect(compose.networks['data']).toEqual({ internal: true });
    const servers = Object.entries(compose.services).filter(([, service]) => service.build === undefined);
    expect(servers.map(([name, { networks }]) => [name, networks])).toEqual(servers.map(([name]) => [name, ['data']]));
    for (const name of services) expect([name, compose.services[name]?.networks]).toEqual([name, ['default', 'data']]);
    expect(compose.services['admin']?.networks).toEqual(['default']);
  });

  it('puts no secret into a command line', () => {
    const commands = Object.values(compose.services).flatMap(({ command = [] }) => command);
    expect(commands.filter((word) => word.includes('secret'))).toEqual([]);
  });

  it('gives Redis its password without showing it', async () => {
    const [shell = 'sh', ...words] = compose.services['redis']?.command ?? [];
    const script = (words.at(-1) ?? '').replaceAll('$$', '$').replace('exec redis-server', 'shown() { cat; }; shown');
    const { stdout } = await promisify(execFile)(shell, [...words.slice(0, -1), script], {
      env: { PATH: process.env['PATH'] ?? '', REDISCLI_AUTH: 'abc' },
    });
    expect(stdout).toContain('requirepass abc\n');
  });

  it('publishes the API and the web UI, and nothing else', () => {
    const published = Object.entries(compose.services).filter(([, service]) => service.ports !== undefined);
    expect(published.map(([name, service]) => [name, service.ports])).toEqual([
      ['gateway', ['3333:3333']],
      ['admin', ['3001:3001']],
    ]);
  });

  it('starts nothing before what it needs is healthy', () => {
    const waits = Object.values(compose.services).flatMap((service) => Object.entries(service.depends_on ?? {}));
    expect(waits.filter(([, { condition }]) => condition !== 'service_healthy')).toEqual([]);
    const infrastructure = waits.map(([name]) => name).filter((name) => !services.includes(name));
    expect(infrastructure.filter((name) => compose.services[name]?.healthcheck === undefined)).toEqual([]);
  });

  it('keeps what must outlive a container in named volumes', () => {
    const mounts = Object.values(compose.services).flatMap((service) => service.volumes ?? []);
    const named = mounts.map((mount) => mount.split(':')[0] ?? '').filter((source) => !source.startsWith('.'));
    expect([...new Set(named)].sort()).toEqual(Object.keys(compose.volumes).sort());
  });

  it('shares one volume for media between its services', () => {
    const without = services.filter((name) => compose.services[name]?.volumes?.includes('media:/data/media') !== true);
    expect(without).toEqual([]);
  });

  it('does not start without its secrets, all of which .env.example names', () => {
    for (const name of requiredVariables) {
      expect(() => composeFile({ ...filled, [name]: '' })).toThrow(name);
    }
    const example = [...read('../../.env.example').matchAll(/^(\w+)=$/gm)].map((match) => match[1] ?? '');
    expect(example.sort()).toEqual([...requiredVariables].sort());
  });

  it('sets variables that the configuration knows', () => {
    const known = new Set(
      [...read('../../docs/configuration.md').matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1] ?? ''),
    );
    const set = services.flatMap((name) => Object.keys(compose.services[name]?.environment ?? {}));
    expect([...new Set(set)].filter((name) => !known.has(name))).toEqual([]);
  });

  it('hands each service every setting that it reads, so that what stands in .env has its effect', () => {
    const missing = services.map((name) => {
      const read = Object.values(settings[name] ?? {}).map(({ variable }) => variable);
      const given = compose.services[name]?.environment ?? {};
      return [name, [...new Set(read)].filter((variable) => !(variable in given) && !settled.test(variable))];
    });
    expect(Object.fromEntries(missing)).toEqual(Object.fromEntries(services.map((name) => [name, []])));
  });

  it('builds the web UI for where the API is published, and the API lets its pages in', () => {
    const { admin, gateway } = compose.services;
    const url = 'http://localhost:3333';
    expect(admin?.build).toMatchObject({ target: 'admin', args: { ADMIN_PUBLIC_API_URL: url } });
    expect(admin?.environment).toMatchObject({ ADMIN_PUBLIC_API_URL: url });
    expect(gateway?.environment).toMatchObject({
      ADMIN_PUBLIC_API_URL: '',
      CORS_ORIGINS: `http://localhost:3001,${url}`,
    });
    const given = Object.keys(admin?.environment ?? {});
    expect(
      Object.values(adminSettings)
        .map(({ variable }) => variable)
        .filter((name) => !given.includes(name)),
    ).toEqual(['ADMIN_PORT', 'ADMIN_HOST']);
  });

  it('names root key and authority of its simulated network', async () => {
    const seed = compose.services['simulator']?.environment?.['SIMULATOR_SEED'] ?? '';
    const simulator = await startSimulator({ seed });
    await simulator.stop();
    expect(read('../../.env.example')).toContain(`SOCKET_ENGINE_ROOT_KEY=${simulator.rootKey}`);
    expect(read('../network-simulator/compose-authority.pem')).toBe(simulator.ca);
  });
});
