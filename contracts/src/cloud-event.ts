import type { EventContract } from './contract.ts';

/** Content type of an event's record on Kafka: a CloudEvent, whole in the value. */
export const eventContentType = 'application/cloudevents+json';

/** CloudEvents' `source` of what a service tells. */
export const cloudEventSourceOf = (service: string): string => `/services/${service}`;

/** Name of an event's data schema, in CloudEvents' `dataschema`. */
export const dataSchemaOf = ({ type, version }: Pick<EventContract, 'type' | 'version'>): string =>
  `urn:messaging-gateway:event:${type}:${version}`;
