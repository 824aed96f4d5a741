import { existsSync, readFileSync, readdirSync } from 'node:fs';
import type { EventContract } from '../src/index.ts';
import { fileText, shapeOf } from './json-schema.ts';

const folder = new URL('../published/', import.meta.url);

/** Where the shape of an event's version is kept once it was published. */
export const publishedFile = ({ type, version }: EventContract): string => `${type}.v${version}.json`;

/** Text of that file: the shape without words for people. */
export const publishedText = (event: EventContract): string => fileText(shapeOf(event.data));

/** Published shapes, by file name. */
export const published = (): Map<string, string> =>
  new Map(
    (existsSync(folder) ? readdirSync(folder) : []).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]),
  );
