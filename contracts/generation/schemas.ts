import type { EventContract } from '../src/index.ts';
import { plain, type Json } from './json-schema.ts';

/** JSON Schemas of the events for consumers in other languages, by file name below `schemas/`. */
export function schemaFiles(events: readonly EventContract[]): Map<string, Json> {
  return new Map(
    events.map(({ type, version, means, data }) => {
      const $schema = 'https://json-schema.org/draft/2020-12/schema';
      const $id = `urn:messaging-gateway:schema:events:${type}.v${version}`;
      return [`events/${type}.v${version}.json`, { $schema, $id, title: type, description: means, ...plain(data) }];
    }),
  );
}
