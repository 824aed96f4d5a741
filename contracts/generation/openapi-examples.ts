import { capital } from '../src/shapes.ts';
import type { Json } from './json-schema.ts';

const json = 'application/json';
/** The name of an example where it stands. */
const here = 'example';

/**
 * Examples of answers that several operations share stand in the document once: they are taken out of the operations, which
 * refer to them.
 *
 * @param paths of the document; changed in place
 * @returns the examples by their names, for `components.examples`
 */
export function shareExamples(paths: Json): Json {
  const places = Map.groupBy(answersWithExample(paths), ({ media }) => JSON.stringify(media['example']));
  const shared: [string, Json][] = [];
  for (const [, those] of places) {
    const [first, ...others] = those;
    if (first === undefined || others.length === 0) continue;
    const name = `${capital(first.operation)}Answer`;
    shared.push([name, { value: first.media['example'] }]);
    for (const { media } of those) {
      delete media['example'];
      media['examples'] = { [here]: { $ref: `#/components/examples/${name}` } };
    }
  }
  return Object.fromEntries(shared);
}

/** Bodies of answers with an example, and the operation that answers. */
function answersWithExample(paths: Json): { readonly operation: string; readonly media: Record<string, unknown> }[] {
  const operations = Object.values(paths).flatMap((path) => Object.values(path as Json)) as Json[];
  return operations.flatMap(({ operationId, responses }) =>
    Object.values(responses as Json).flatMap((response) => {
      const media = ((response as Json)['content'] as Json | undefined)?.[json] as Record<string, unknown> | undefined;
      return media?.['example'] === undefined ? [] : [{ operation: String(operationId), media }];
    }),
  );
}
