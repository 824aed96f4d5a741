import type { TSchema } from 'typebox';
import type { Command, EventContract, InternalOperation, Operation } from '../src/index.ts';
import { plain, type Json } from './json-schema.ts';

export interface Contracts {
  readonly operations: readonly Operation[];
  readonly internalOperations: readonly InternalOperation[];
  readonly commands: readonly Command[];
  readonly events: readonly EventContract[];
}

/** JSON Schemas for other languages, by file name below `schemas/`. */
export function schemaFiles({ operations, internalOperations, commands, events }: Contracts): Map<string, Json> {
  const files = new Map<string, Json>();
  const add = (name: string, title: string, description: string, schema: TSchema | undefined): void => {
    if (schema === undefined) return;
    const $id = `urn:messaging-gateway:schema:${name.replaceAll('/', ':')}`;
    files.set(`${name}.json`, {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id,
      title,
      description,
      ...plain(schema),
    });
  };
  for (const { name, means, params, query, body, answers } of operations) {
    add(`operations/${name}.params`, `${name} params`, means, params);
    add(`operations/${name}.query`, `${name} query`, means, query);
    add(`operations/${name}.body`, `${name} body`, means, body);
    for (const [status, answer] of Object.entries(answers))
      add(`operations/${name}.${status}`, `${name} ${status}`, answer.means, answer.body);
  }
  for (const { name, means, body, answer } of internalOperations) {
    add(`internal/${name}.body`, `${name} body`, means, body);
    add(`internal/${name}.answer`, `${name} answer`, means, answer);
  }
  for (const { name, means, data } of commands) add(`commands/${name}`, name, means, data);
  for (const { type, version, means, data } of events) add(`events/${type}.v${version}`, type, means, data);
  return files;
}
