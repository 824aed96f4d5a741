import type { EventContract } from '../src/index.ts';
import { deliveryExample, deliveryHeaders } from './deliveries.ts';
import type { Json } from './json-schema.ts';
import type { NamedSchemas } from './named-schemas.ts';

/** `message.received` as `MessageReceived`. */
const nameOf = ({ type }: EventContract): string =>
  type.replaceAll(/(?:^|[.-])(\w)/g, (_, letter: string) => letter.toUpperCase());

const toldEvents = (events: readonly EventContract[]): readonly EventContract[] =>
  events.filter(({ visibility }) => visibility === 'public').toSorted((one, other) => (one.type < other.type ? -1 : 1));

const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** Any event, as webhooks and `GET /events` tell it: its kind says what its data are. */
export const anyEvent = (events: readonly EventContract[]): Json => ({
  description: 'An event as webhooks and `GET /events` tell it. `event` says what `data` holds.',
  oneOf: toldEvents(events).map((event) => reference(`${nameOf(event)}Event`)),
  discriminator: {
    propertyName: 'event',
    mapping: Object.fromEntries(
      toldEvents(events).map((event) => [event.type, `#/components/schemas/${nameOf(event)}Event`]),
    ),
  },
});

/** Each event by itself. */
export const eventSchemas = (events: readonly EventContract[], schemas: NamedSchemas): Json =>
  Object.fromEntries(
    toldEvents(events).map((event) => [
      `${nameOf(event)}Event`,
      {
        type: 'object',
        description: event.means,
        required: ['id', 'event', 'timestamp', 'profileId', 'data'],
        properties: {
          id: { type: 'string', format: 'uuid', description: 'The same however often it is delivered' },
          event: { type: 'string', const: event.type, description: 'Kind of the event' },
          timestamp: { type: 'string', format: 'date-time', description: 'When it happened' },
          profileId: { type: ['string', 'null'], format: 'uuid', description: 'The profile that it happened to' },
          data: { ...schemas.placed(event.data, `${nameOf(event)}Data`), description: 'What has happened' },
        },
        additionalProperties: false,
      },
    ]),
  );

const answers = {
  '2XX': { description: 'Taken: it is not delivered again.' },
  '410': { description: 'Nobody wants them any more: the webhook is switched off.' },
  '4XX': { description: 'Tried again later, as every other answer.' },
};

const headers = Object.entries(deliveryHeaders.properties).map(([name, { description, ...schema }]) => ({
  name,
  in: 'header',
  description,
  required: deliveryHeaders.required.includes(name),
  schema,
}));

/** Requests to a tenant's webhook, by the kind of the event. */
export const webhooks = (events: readonly EventContract[]): Json =>
  Object.fromEntries(
    toldEvents(events).map((event) => [
      event.type,
      {
        post: {
          operationId: `on${nameOf(event)}`,
          tags: ['Webhooks'],
          summary: event.type,
          description: event.means,
          security: [],
          parameters: headers,
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: reference(`${nameOf(event)}Event`), example: deliveryExample(event) },
            },
          },
          responses: answers,
        },
      },
    ]),
  );
