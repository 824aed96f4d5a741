import { cloudEventSourceOf, dataSchemaOf, eventContentType, type EventContract } from '../src/index.ts';
import { deliveryExample, deliveryHeaders, exampleOf } from './deliveries.ts';
import { plain, type Json } from './json-schema.ts';

const { id, profileId, time } = exampleOf;
const organizationId = '0198c0de-0000-7000-8000-0000000000bb';
const uuid = { type: 'string', format: 'uuid' };
const timestamp = { type: 'string', format: 'date-time' };

/** Name of an event's messages in the document. */
const nameOf = ({ type, version }: EventContract): string => `${type.replaceAll(/[.-]/g, '_')}_v${version}`;
const ref = (...path: string[]): Json => ({ $ref: `#/${path.join('/')}` });

/** CloudEvents' `source`: the owner, or one of those that tell it too. */
const sourceOf = ({ owner, alsoToldBy = [] }: EventContract): Json =>
  alsoToldBy.length === 0
    ? { const: cloudEventSourceOf(owner) }
    : { enum: [owner, ...alsoToldBy].map(cloudEventSourceOf) };

/** The AsyncAPI 3.0 document: public events as CloudEvents on Kafka topics of the same name, and as webhook deliveries. */
export function asyncApiDocument(events: readonly EventContract[]): Json {
  const told = events
    .filter(({ visibility }) => visibility === 'public')
    .toSorted((one, other) => (one.type < other.type ? -1 : 1));
  return {
    asyncapi: '3.0.0',
    id: 'urn:messaging-gateway:events',
    info: {
      title: 'Messaging Gateway events',
      version: '1.0.0',
      description:
        'Facts of the gateway, at least once, in order per kind and key; there is no order across kinds. A topic may carry the prefix of the installation. Topics below `internal.` are between the services of the gateway: no promise, and not described here.',
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      contact: { name: 'Operator of the installation', url: 'https://example.com', email: 'operator@example.com' },
      tags: [{ name: 'messaging' }],
    },
    defaultContentType: 'application/json',
    servers: {
      kafka: {
        host: 'kafka.example.com:9092',
        protocol: 'kafka',
        description: 'The Kafka cluster of the installation',
      },
    },
    channels: { ...Object.fromEntries(told.map(kafkaChannel)), webhook: webhookChannel(told) },
    operations: { ...Object.fromEntries(told.map(kafkaOperation)), deliver_webhook: webhookOperation },
    components: {
      messages: {
        ...Object.fromEntries(told.map((event) => [nameOf(event), cloudEvent(event)])),
        ...Object.fromEntries(told.map((event) => [`webhook_${nameOf(event)}`, delivery(event)])),
      },
      schemas: Object.fromEntries(told.map((event) => [nameOf(event), { title: event.type, ...plain(event.data) }])),
    },
  };
}

const kafkaChannel = (event: EventContract): [string, Json] => [
  nameOf(event),
  {
    address: event.type,
    description: event.means,
    servers: [ref('servers', 'kafka')],
    messages: { [nameOf(event)]: ref('components', 'messages', nameOf(event)) },
  },
];

const kafkaOperation = (event: EventContract): [string, Json] => [
  `tell_${nameOf(event)}`,
  {
    action: 'send',
    channel: ref('channels', nameOf(event)),
    summary: event.means,
    messages: [ref('channels', nameOf(event), 'messages', nameOf(event))],
  },
];

function cloudEvent(event: EventContract): Json {
  return {
    name: event.type,
    title: event.type,
    summary: event.means,
    contentType: eventContentType,
    bindings: {
      kafka: {
        key: { type: 'string', description: 'Profile id, or the id of the resource where there is no profile' },
      },
    },
    payload: {
      type: 'object',
      required: [
        'specversion',
        'id',
        'source',
        'type',
        'time',
        'datacontenttype',
        'dataschema',
        'organizationid',
        'sequence',
        'data',
      ],
      properties: {
        specversion: { const: '1.0' },
        id: { ...uuid, description: 'The same at every delivery' },
        source: sourceOf(event),
        type: { const: event.type },
        time: timestamp,
        datacontenttype: { const: 'application/json' },
        dataschema: { const: dataSchemaOf(event) },
        organizationid: uuid,
        profileid: uuid,
        sequence: { type: 'string', description: 'Grows per source; compare as strings' },
        requestid: { type: 'string', description: 'Request that caused it' },
        traceparent: { type: 'string', description: 'W3C trace context, as the extension of CloudEvents has it' },
        data: ref('components', 'schemas', nameOf(event)),
      },
    },
    examples: [{ name: event.type, payload: cloudEventExample(event) }],
  };
}

/** An event as a Kafka record. */
export const cloudEventExample = (event: EventContract): Json => ({
  specversion: '1.0',
  id,
  source: cloudEventSourceOf(event.owner),
  type: event.type,
  time,
  datacontenttype: 'application/json',
  dataschema: dataSchemaOf(event),
  organizationid: organizationId,
  profileid: profileId,
  sequence: '0001-00000000000002f1-000000000000004c-00',
  data: event.example,
});

const webhookChannel = (events: readonly EventContract[]): Json => ({
  address: '{webhookUrl}',
  description: 'Signed HTTP POST to every webhook of the organization that subscribed to the kind.',
  parameters: { webhookUrl: { description: '`url` of the webhook' } },
  messages: Object.fromEntries(
    events.map((event) => [`webhook_${nameOf(event)}`, ref('components', 'messages', `webhook_${nameOf(event)}`)]),
  ),
});

const webhookOperation = {
  action: 'send',
  channel: ref('channels', 'webhook'),
  summary: 'Delivered at least once; any answer but 2xx is tried again.',
  bindings: { http: { method: 'POST' } },
};

const delivery = (event: EventContract): Json => ({
  name: `webhook ${event.type}`,
  title: `${event.type} to a webhook`,
  summary: event.means,
  contentType: 'application/json',
  headers: deliveryHeaders,
  payload: {
    type: 'object',
    required: ['id', 'event', 'timestamp', 'data'],
    properties: {
      id: uuid,
      event: { const: event.type },
      timestamp,
      profileId: { anyOf: [uuid, { type: 'null' }] },
      data: ref('components', 'schemas', nameOf(event)),
    },
  },
  examples: [{ name: event.type, payload: deliveryExample(event) }],
});
