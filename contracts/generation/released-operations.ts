import { readFileSync } from 'node:fs';
import { internalOperations } from '../src/index.ts';
import { differences, lineOf } from './compatibility.ts';
import { fileText, shapeOf, type Json } from './json-schema.ts';

/** Operations between services as the last release has them: versions that follow each other run side by side. */
export type ReleasedOperations = Readonly<Record<string, { readonly request: Json; readonly answer: Json }>>;

export const releasedOperationsFile = new URL('../released/operations.json', import.meta.url);

/** The operations of the last release; `npm run release:freeze` writes them. */
export const releasedOperations = (): ReleasedOperations =>
  JSON.parse(readFileSync(releasedOperationsFile, 'utf8')) as ReleasedOperations;

/** Text of that file for what is here now. */
export const operationsText = (): string =>
  fileText(
    Object.fromEntries(
      [...internalOperations]
        .toSorted((one, other) => one.name.localeCompare(other.name))
        .map(({ name, body, answer }) => [name, { request: shapeOf(body), answer: shapeOf(answer) }]),
    ),
  );

/** Differences that harm nobody: a reader passes over fields that it does not know, and misses none that may be absent. */
const harmless = new Set(['the optional field was added', 'the optional field was removed']);

/**
 * Differences that two versions cannot bear. Either of them may be the one that asks, so everything breaks one of the
 * two directions but optional fields that come or go.
 */
export const breaksBetween = (before: Json, after: Json, path: string): string[] =>
  differences(before, after, path)
    .filter(({ what }) => !harmless.has(what))
    .map(lineOf);
