import { cloudEventSourceOf, dataSchemaOf, eventContentType, type EventEnvelope } from '@messaging-gateway/contracts';
import { frozen } from '../json.ts';
import { disbelief, sealed, type Sealing } from '../sealing.ts';
import type { ReadRecord, RecordToSend } from './client.ts';

const sourcePrefix = cloudEventSourceOf('');
const headers = { 'content-type': eventContentType } as const;

/** The content of an event's record: a CloudEvent in structured mode, as the AsyncAPI document describes it. */
interface CloudEvent {
  readonly specversion: '1.0';
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly time: string;
  readonly datacontenttype: 'application/json';
  readonly dataschema: string;
  readonly organizationid: string;
  readonly profileid?: string;
  readonly sequence: string;
  readonly requestid?: string;
  readonly traceparent?: string;
  readonly data: unknown;
}

/** An event as a record of its kind's topic. */
export function recordOf(event: EventEnvelope, topic: string, sealing?: Sealing): RecordToSend {
  const { id, type, version, source, organizationId, profileId, key, sequence, time } = event;
  const told: CloudEvent = {
    specversion: '1.0',
    id,
    source: cloudEventSourceOf(source),
    type,
    time,
    datacontenttype: 'application/json',
    dataschema: dataSchemaOf({ type, version }),
    organizationid: organizationId,
    ...(profileId !== undefined && { profileid: profileId }),
    sequence,
    ...(event.requestId !== undefined && { requestid: event.requestId }),
    ...(event.traceparent !== undefined && { traceparent: event.traceparent }),
    data: event.data,
  };
  const value = JSON.stringify(told);
  return { topic, key, value, headers: { ...headers, ...sealed(sealing, placeOf(topic, key), value) } };
}

const placeOf = (topic: string, key: string): string => `event ${topic} ${key}`;

/** Sealed with a secret that is not configured here: it may be an event, and is not to be passed over. */
export class UnknownSeal extends Error {
  constructor() {
    super('The record was sealed with a secret that is not configured here (BROKER_SECRET, BROKER_SECRET_PREVIOUS).');
    this.name = 'UnknownSeal';
  }
}

/** The event of a record, unchangeable. @throws UnknownSeal, or Error when it is none of this installation */
export function eventOf({ key, value, seal }: ReadRecord, topic: string, sealing?: Sealing): EventEnvelope {
  const told = checked(JSON.parse(value ?? 'null'));
  if (key === undefined) throw new Error('A record without a key.');
  const why = disbelief(sealing, placeOf(topic, key), value ?? '', seal);
  if (why === 'unknown') throw new UnknownSeal();
  if (why !== undefined) throw new Error(`Its seal is ${why}.`);
  const { id, type, source, organizationid, profileid, sequence, time, requestid, traceparent } = told;
  return frozen({
    id,
    type,
    version: versionOf(told),
    source: source.startsWith(sourcePrefix) ? source.slice(sourcePrefix.length) : source,
    organizationId: organizationid,
    ...(profileid !== undefined && { profileId: profileid }),
    key,
    sequence,
    time,
    data: told.data,
    ...(requestid !== undefined && { requestId: requestid }),
    ...(traceparent !== undefined && { traceparent }),
  });
}

const needed = ['id', 'type', 'source', 'dataschema', 'organizationid', 'sequence', 'time'] as const;

function checked(told: unknown): CloudEvent {
  const fields = (told ?? {}) as Readonly<Record<string, unknown>>;
  const missing = needed.filter((name) => typeof fields[name] !== 'string');
  if (missing.length > 0) throw new Error(`No CloudEvent of this gateway: ${missing.join(', ')} missing.`);
  return told as CloudEvent;
}

function versionOf({ dataschema }: CloudEvent): number {
  const version = /:(\d+)$/.exec(dataschema)?.[1];
  if (version === undefined) throw new Error(`No version in the dataschema ${dataschema}.`);
  return Number(version);
}
