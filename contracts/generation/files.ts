import { events, operations } from '../src/index.ts';
import { asyncApiDocument } from './asyncapi.ts';
import { fileText } from './json-schema.ts';
import { errorsPage, openApiDocument } from './openapi.ts';
import { schemaFiles } from './schemas.ts';

/** Every generated file of the repository, by its path from the root. */
export function generatedFiles(): Map<string, string> {
  const files = new Map([
    ['contracts/generated/openapi.json', fileText(openApiDocument(operations, events))],
    ['contracts/generated/asyncapi.json', fileText(asyncApiDocument(events))],
    ['docs/errors.md', errorsPage()],
  ]);
  for (const [name, schema] of schemaFiles(events)) {
    files.set(`contracts/generated/schemas/${name}`, fileText(schema));
  }
  return files;
}
