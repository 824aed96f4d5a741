import { resolve } from 'node:path';
import { rebalanceSetting } from '@messaging-gateway/leases';
import { setting, type Setting, type SettingsOf } from '@messaging-gateway/runtime';
import { engineKinds, type EngineKind } from './engine/engine.ts';
import { runnableKinds } from './engine/engines.ts';
import { maxSecretDays } from './session-data/retention.ts';

const matching =
  (form: RegExp, expected: string) =>
  (text: string | undefined): string | undefined => {
    if (text !== undefined && !form.test(text)) throw new Error(`must be ${expected}`);
    return text;
  };

const version = matching(/^\d+\.\d+\.\d+$/, 'three numbers with dots, for example 2.3000.1043857760');

/** Settings of sessions. */
export const sessionsSettings = {
  directory: {
    variable: 'SESSIONS_DIR',
    byDefault: '`sessions` in `DATA_DIR`; `/data/sessions` in the container',
    means:
      "Folder of the engines' session data, which are credentials. Must be persistent, on a local disk, and used by one process. Not used with brokers: then session data is in PostgreSQL, encrypted.",
    read: (text: string | undefined) => resolve(text ?? 'data/sessions'),
  },
  defaultEngine: {
    variable: 'DEFAULT_ENGINE',
    byDefault: 'the first that this installation can run',
    means:
      'Engine of profiles that name none: `web-js-engine` or `socket-engine`. A profile keeps the one that it was first connected with. One that this installation cannot run is a fault at start.',
    read: (text: string | undefined): EngineKind | undefined => {
      if (text === undefined) return undefined;
      const kind = setting.word(engineKinds, 'socket-engine')(text);
      if (runnableKinds.includes(kind)) return kind;
      throw new Error(`is ${kind}, which this installation cannot run; it can run ${runnableKinds.join(', ')}`);
    },
  },
  engineHost: {
    variable: 'ENGINE_HOST',
    byDefault: 'api',
    means: '`api`: engines run inside the API process. `worker`: in a process of their own, which needs the brokers.',
    read: (text: string | undefined, environment: NodeJS.ProcessEnv): 'api' | 'worker' => {
      if (text === 'worker' && !environment['AMQP_URL'])
        throw new Error('can be worker only with AMQP_URL and KAFKA_BROKERS');
      return setting.word(['api', 'worker'], 'api')(text);
    },
  },
  socketUrl: {
    variable: 'SOCKET_ENGINE_URL',
    byDefault: 'the real network',
    means: 'WebSocket URL of another network, for example the simulated one.',
    read: matching(/^wss?:\/\/\S+$/, 'a WebSocket URL, for example ws://127.0.0.1:5000/ws/chat'),
  },
  socketRootKey: {
    variable: 'SOCKET_ENGINE_ROOT_KEY',
    byDefault: 'that of the real network',
    means: "Public key, 64 hex digits, that signs the certificates of the network's handshake.",
    read: matching(/^[0-9a-f]{64}$/i, '64 hex digits'),
  },
  socketCaFile: {
    variable: 'SOCKET_ENGINE_CA_FILE',
    byDefault: 'none',
    means: "File with certificates of authorities to trust for the network's hosts and its media hosts.",
    read: setting.optionalText,
  },
  clientVersion: {
    variable: 'SOCKET_ENGINE_CLIENT_VERSION',
    byDefault: 'that of the client library',
    means:
      'Version that the socket engine gives itself out as. The network raises its minimum now and then; a refused profile shows `CLIENT_VERSION_REFUSED`.',
    read: (text: string | undefined): [number, number, number] | undefined =>
      version(text)?.split('.').map(Number) as [number, number, number] | undefined,
  },
  reconnectsPerSecond: {
    variable: 'RECONNECT_RATE',
    byDefault: '5',
    means:
      'Logins that one process begins each second, at most: after a restart, after the network was away, and when somebody asks. What somebody asked for goes first; organizations take turns.',
    read: setting.integer(5, 1, 1000),
  },
  profilesPerProcess: {
    variable: 'PROFILES_PER_PROCESS',
    byDefault: '500',
    means: 'Connections that one process holds, at most.',
    read: setting.integer(500, 1, 100_000),
  },
  rebalanceSeconds: rebalanceSetting,
  profileQuota: {
    variable: 'QUOTA_PROFILES',
    byDefault: '1000',
    means: 'Profiles of an organization, at most; 0: any number.',
    read: setting.integer(1_000, 0, 2 ** 31 - 1),
  },
  unscannedQuota: {
    variable: 'QUOTA_UNSCANNED',
    byDefault: '20',
    means:
      'Connections of an organization that wait for a scan or a pairing code at the same time, at most; 0: any number. Where `PROFILES_PER_PROCESS` are held they give way to linked profiles.',
    read: setting.integer(20, 0, 2 ** 31 - 1),
  },
  messageSecretDays: {
    variable: 'MESSAGE_SECRET_DAYS',
    byDefault: '30',
    means:
      'Days for which the secret of each message is stored, 1 to 90. Later changes of a message, such as edits, are encrypted with it. Takes at most 100 bytes for each message.',
    read: setting.integer(30, 1, maxSecretDays),
  },
  allowPrivateTargets: {
    variable: 'WEBHOOK_ALLOW_PRIVATE_TARGETS',
    byDefault: 'false',
    means:
      'Allows URLs given by tenants to lead to loopback, private and reserved addresses; metadata services stay blocked.',
    read: setting.flag(false),
  },
  isAlone: {
    variable: 'AMQP_URL',
    byDefault: 'none',
    means: 'Without brokers one process holds all profiles and takes them at its start.',
    read: (text: string | undefined): boolean => text === undefined,
  },
} as const satisfies Record<string, Setting<unknown>>;

export type SessionsSettings = SettingsOf<typeof sessionsSettings> & {
  /** A replica without a heartbeat for so long is dead to the others, milliseconds. No variable: all replicas use the same value, tests a shorter one. */
  readonly replicaTtlMs?: number;
};
