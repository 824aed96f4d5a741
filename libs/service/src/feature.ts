import type { ServiceName } from '@messaging-gateway/contracts';
import type { AnyStreamType, AppendGuard, InlineView } from '@messaging-gateway/event-sourcing';
import { sampledGauge, type Clock, type GaugeDescription, type Sample } from '@messaging-gateway/runtime';
import type { EntitySchema } from '@mikro-orm/postgresql';
import {
  type History,
  type InternalRow,
  type OperationRow,
  type ReactionRow,
  type Running,
  type ServiceDefinition,
  type Tells,
  publishing,
} from './definition.ts';
import type { Job } from './jobs.ts';
import type { ServiceModule, ServiceTools, SqlMigration } from './module.ts';
import { personalData, type PersonalData, type PersonalDataContracts } from './personal-data.ts';

/** A gauge whose values are looked up when the metrics are read. */
export interface FeatureGauge extends GaugeDescription {
  readonly look: () => Promise<readonly Sample[]> | readonly Sample[];
}

/** Parts of a feature once its service is connected. */
interface Connected<Api = unknown> {
  /** Functions and records for other features of the service. */
  readonly api?: Api;
  /** Operations that it answers: routes and requests of other services. */
  readonly rows?: readonly (OperationRow | InternalRow)[];
  /** Facts of others that it takes in. */
  readonly hears?: readonly ReactionRow[];
  /** Work that runs as long as the service, started in the order of the features. */
  readonly running?: readonly Running[];
  /** Work that is done from time to time. */
  readonly jobs?: readonly Job[];
  readonly metrics?: readonly FeatureGauge[];
  /** Data about people that the feature holds in the clear. */
  readonly personalData?: Partial<PersonalData>;
  /** Rows that are deleted some time after they were settled. */
  readonly history?: readonly History[];
}

/** Streams and tables of a feature, and events that it tells: known before its service is connected. */
interface FeatureStorage {
  /** Deciders, and how their events are stored. */
  readonly streams: readonly AnyStreamType[];
  readonly views: readonly InlineView[];
  readonly guards: readonly AppendGuard[];
  readonly migrations: readonly SqlMigration[];
  /** Tables that are read through MikroORM. */
  readonly entities: readonly EntitySchema[];
  /** Facts of ours, by stream. */
  readonly tells: readonly Tells[];
}

/** All that there is of one capability of a service. */
export interface Feature<Settings = never, Api = unknown> extends FeatureStorage {
  readonly name: string;
  readonly needs: Readonly<Record<string, AnyFeature>>;
  connect(tools: ServiceTools<Settings>, needed: Readonly<Record<string, unknown>>): Connected<Api>;
}
export type AnyFeature = Feature;

/** Apis of the features that are needed, by the names under which they are needed. */
type ApisOf<Needs> = { readonly [N in keyof Needs]: Needs[N] extends Feature<never, infer Api> ? Api : never };

export interface FeatureSpec<Settings, Needs, Api> extends Partial<FeatureStorage> {
  /** In messages about faults. */
  readonly name: string;
  /** Features of the same service that it uses; they stand before it in the list of the service. */
  readonly needs?: Needs;
  readonly connect?: (tools: ServiceTools<Settings>, needed: ApisOf<Needs>) => Connected<Api>;
}

/** A capability of a service: one folder, and one word in the list of the service. */
export function feature<
  Api = undefined,
  Settings = unknown,
  Needs extends Readonly<Record<string, AnyFeature>> = Readonly<Record<string, never>>,
>(spec: FeatureSpec<Settings, Needs, Api>): Feature<Settings, Api> {
  const { name, needs = {}, connect = () => ({}) } = spec;
  const { streams = [], views = [], guards = [], migrations = [], entities = [], tells = [] } = spec;
  return {
    name,
    needs,
    streams,
    views,
    guards,
    migrations,
    entities,
    tells,
    connect: (tools, needed) => connect(tools, needed as ApisOf<Needs>),
  };
}

export interface ServiceSpec<Settings = never> {
  /** The clock that its features go by; runs as long as they do. Absent: the process's. */
  readonly clock?: (tools: ServiceTools<Settings>) => Clock & Running;
  /** All that the service does, those first that others need; they start in this order. */
  readonly features: readonly AnyFeature[];
  /** By which it is asked to erase and to show what it holds of somebody. Absent: it holds nothing beside its features' own. */
  readonly personalData?: PersonalDataContracts;
  readonly about?: ServiceModule<Settings>['about'];
}

/**
 * A service is the list of its features.
 *
 * @throws Error when a feature needs one that does not stand before it
 */
export function service<Settings>(
  name: ServiceName,
  { clock, features, personalData: contracts, about }: ServiceSpec<Settings>,
): ServiceModule<Settings> {
  features.forEach((one, place) => {
    for (const [as, needed] of Object.entries(one.needs))
      if (!features.slice(0, place).includes(needed)) throw new Error(`${name}: ${one.name} needs ${as} before it.`);
  });
  return {
    name,
    ...(about && { about }),
    storage: {
      schema: name,
      streams: features.flatMap(({ streams }) => streams),
      inlineViews: features.flatMap(({ views }) => views),
      guards: features.flatMap(({ guards }) => guards),
    },
    entities: features.flatMap(({ entities }) => entities),
    // Their names sort by time.
    migrations: features
      .flatMap(({ migrations }) => migrations)
      .toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    connect: (given) => {
      const own = clock?.(given);
      const tools = own === undefined ? given : { ...given, clock: own };
      const connected = connectAll(features as readonly Feature<Settings>[], tools);
      const { running, ...parts } = partsOf(connected, tools, contracts);
      return {
        name,
        publish: publishing(features.flatMap((one) => one.tells)),
        ...parts,
        running: own === undefined ? running : [own, ...running],
      };
    },
  };
}

function connectAll<Settings>(
  features: readonly Feature<Settings>[],
  tools: ServiceTools<Settings>,
): readonly Connected[] {
  const apis = new Map<AnyFeature, unknown>();
  return features.map((one) => {
    const needed = Object.entries(one.needs).map(([as, other]) => [as, apis.get(other)]);
    const connected = one.connect(tools, Object.fromEntries(needed) as Record<string, unknown>);
    apis.set(one, connected.api);
    return connected;
  });
}

function partsOf(
  connected: readonly Connected[],
  tools: ServiceTools<unknown>,
  contracts: PersonalDataContracts | undefined,
): Omit<ServiceDefinition, 'name' | 'publish'> {
  const held = connected.flatMap((one) => one.personalData ?? []);
  return {
    rows: [
      ...connected.flatMap(({ rows = [] }) => rows),
      ...connected.flatMap(({ hears = [] }) => hears),
      ...(contracts === undefined ? [] : personalData(tools, contracts, together(held))),
    ],
    running: [
      ...connected.flatMap(({ running = [] }) => running),
      gauges(
        tools,
        connected.flatMap(({ metrics = [] }) => metrics),
      ),
    ],
    jobs: connected.flatMap(({ jobs = [] }) => jobs),
    history: connected.flatMap(({ history = [] }) => history),
  };
}

const together = (held: readonly Partial<PersonalData>[]): PersonalData => ({
  first: async (whose, context) => {
    for (const { first } of held) await first?.(whose, context);
  },
  tables: held.flatMap(({ tables = [] }) => tables),
  sections: held.flatMap(({ sections = [] }) => sections),
});

function gauges({ metrics }: Pick<ServiceTools<unknown>, 'metrics'>, rows: readonly FeatureGauge[]): Running {
  let stops: (() => void)[] = [];
  return {
    start: async () => void (stops = rows.map(({ look, ...gauge }) => sampledGauge(metrics, gauge, look))),
    stop: async () => stops.splice(0).forEach((stop) => stop()),
  };
}
